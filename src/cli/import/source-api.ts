/** Reads the API of the service that a studio leaves. What the answers have besides is ignored. */
import { z } from 'zod';
import { askedWaitMs, sleep } from '../../client/back-off.js';
import { placeIn } from '../../client/earshot-client.js';
import { byHttp } from '../../client/http-transport.js';
import type { TransportRequest } from '../../client/transport.js';
import { StateError } from '../../terminal/state-error.js';
import { UsageError } from '../../terminal/usage-error.js';

const pageRows = 100;
const attemptsMax = 6;
const waitMs = 1_000;
/** An answer that is not whole by then does not come. */
const timeoutMs = 120_000;

type SentQuery = Readonly<Record<string, string | number>>;

interface SourceAnswer {
  readonly body: unknown;
  /** Query of the next part, where the answer ends early. */
  readonly next: SentQuery | null;
}

/** Entries of a list that is the answer itself, or stands in it under one of the names. */
function entriesIn(answer: unknown, names: readonly string[]): unknown[] {
  if (Array.isArray(answer)) return answer;
  const list = names.map((name) => Reflect.get(Object(answer), name)).find(Array.isArray);
  return list ?? [];
}

export class SourceApi {
  private readonly base: string;

  constructor(
    url: string,
    private readonly headers: Readonly<Record<string, string>>,
  ) {
    this.base = url.replace(/\/+$/, '');
    if (!URL.canParse(this.base)) throw new UsageError(`--from ${url} is no address.`);
  }

  /** Waits where the service asks for it. Throws StateError for a refusal. */
  async get(path: string, query: SentQuery = {}): Promise<unknown> {
    return (await this.send('GET', path, query)).body;
  }

  async post(path: string, body: object): Promise<unknown> {
    return (await this.send('POST', path, {}, body)).body;
  }

  private async send(method: string, path: string, query: SentQuery, body?: object): Promise<SourceAnswer> {
    const url = new URL(this.base + path);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
    for (let attempt = 0; ; attempt += 1) {
      const { answer, text } = await this.ask(url, {
        method,
        signal: AbortSignal.timeout(timeoutMs),
        headers: {
          Accept: 'application/json',
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...this.headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      if (answer.ok) return { body: this.parsed(path, text), next: placeIn(answer.headers.get('Link')) };
      const passes = answer.status === 429 || answer.status >= 500;
      if (!passes || attempt >= attemptsMax)
        throw new StateError(
          'source_refused',
          `${url.host} answers ${path} with ${answer.status}: ${text.slice(0, 200)}`,
        );
      await sleep(askedWaitMs(waitMs * 2 ** attempt, Number(answer.headers.get('Retry-After')) || null));
    }
  }

  private async ask(url: URL, request: TransportRequest) {
    try {
      const answer = await byHttp(url, request);
      return { answer, text: await answer.text() };
    } catch (cause) {
      throw new StateError('source_unreachable', `${url.host} does not answer: ${String(cause)}.`);
    }
  }

  private parsed(path: string, text: string): unknown {
    try {
      return JSON.parse(text);
    } catch {
      throw new StateError('source_unreadable', `The answer to ${path} is not JSON: ${text.slice(0, 200)}`);
    }
  }

  /** All entries of a list that is read by `limit` and `offset`. */
  async all<S extends z.ZodType>(path: string, name: string, schema: S): Promise<z.output<S>[]> {
    const found: z.output<S>[] = [];
    for (;;) {
      const answer = await this.get(path, { limit: pageRows, offset: found.length });
      const entries = this.read(path, z.array(schema), entriesIn(answer, [name]));
      // A service that does not know pages answers with the whole list, and with the same one again.
      if (found.length > 0 && JSON.stringify(entries[0]) === JSON.stringify(found[0])) return found;
      found.push(...entries);
      if (entries.length < pageRows) return found;
    }
  }

  /** All entries of a list, with the parts that the header Link names where an answer ends early. */
  async list<S extends z.ZodType>(path: string, names: readonly string[], schema: S): Promise<z.output<S>[]> {
    const found: z.output<S>[] = [];
    for (let query: SentQuery | null = {}; query !== null; ) {
      const { body, next }: SourceAnswer = await this.send('GET', path, query);
      found.push(...this.read(path, z.array(schema), entriesIn(body, names)));
      query = JSON.stringify(next) === JSON.stringify(query) ? null : next;
    }
    return found;
  }

  /** Throws StateError where the answer has another form. */
  read<S extends z.ZodType>(path: string, schema: S, answer: unknown): z.output<S> {
    const read = schema.safeParse(answer);
    if (read.success) return read.data;
    throw new StateError('source_unreadable', `The answer to ${path} has another form: ${z.prettifyError(read.error)}`);
  }
}
