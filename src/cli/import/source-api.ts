/** Reads the API of the service that a studio leaves. What the answers have besides is ignored. */
import { z } from 'zod';
import { askedWaitMs, sleep } from '../../client/back-off.js';
import { byHttp } from '../../client/http-transport.js';
import { StateError } from '../../terminal/state-error.js';
import { UsageError } from '../../terminal/usage-error.js';

const pageRows = 100;
const attemptsMax = 6;
const waitMs = 1_000;

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
  async get(path: string, query: Readonly<Record<string, string | number>> = {}): Promise<unknown> {
    return this.send('GET', path, query);
  }

  async post(path: string, body: object): Promise<unknown> {
    return this.send('POST', path, {}, body);
  }

  private async send(
    method: string,
    path: string,
    query: Readonly<Record<string, string | number>>,
    body?: object,
  ): Promise<unknown> {
    const url = new URL(this.base + path);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
    for (let attempt = 0; ; attempt += 1) {
      const answer = await byHttp(url, {
        method,
        headers: {
          Accept: 'application/json',
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...this.headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }).catch((cause: unknown) => {
        throw new StateError('source_unreachable', `${url.host} does not answer: ${String(cause)}.`);
      });
      const text = await answer.text();
      if (answer.ok) return JSON.parse(text);
      const passes = answer.status === 429 || answer.status >= 500;
      if (!passes || attempt >= attemptsMax)
        throw new StateError(
          'source_refused',
          `${url.host} answers ${path} with ${answer.status}: ${text.slice(0, 200)}`,
        );
      await sleep(askedWaitMs(waitMs * 2 ** attempt, Number(answer.headers.get('Retry-After')) || null));
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

  async list<S extends z.ZodType>(path: string, names: readonly string[], schema: S): Promise<z.output<S>[]> {
    return this.read(path, z.array(schema), entriesIn(await this.get(path), names));
  }

  /** Throws StateError where the answer has another form. */
  read<S extends z.ZodType>(path: string, schema: S, answer: unknown): z.output<S> {
    const read = schema.safeParse(answer);
    if (read.success) return read.data;
    throw new StateError('source_unreadable', `The answer to ${path} has another form: ${z.prettifyError(read.error)}`);
  }
}
