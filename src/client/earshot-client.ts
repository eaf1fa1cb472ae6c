/** Calls the daemon by the contract: a route and its input in, its result out. Refusals come as ApiError. */
import type { EarshotEvent } from '../contract/events.js';
import { type CallInput, isWholeList, type Result, type Route } from '../contract/route.js';
import { ignoredFieldsHeader } from '../contract/unknown-fields.js';
import { answerProblem } from './answer-form.js';
import { checkAddress, failureOf, NotEarshot, toApiError, UnexpectedAnswer } from './errors.js';
import { newIdempotencyKey } from './idempotency-key.js';
import { type Repeatability, withRepeats } from './lost-answers.js';
import { pathOf } from './path.js';
import { refuseRedirect } from './redirect.js';
import type { EventStreamOptions, StreamNotice } from './stream-notice.js';
import { type Answer, byFetch, type Transport } from './transport.js';

export type Credential =
  | { readonly kind: 'apiKey'; readonly key: string }
  | { readonly kind: 'bearer'; readonly token: string };

export interface ClientOptions {
  /** For example http://127.0.0.1:8080 */
  readonly baseUrl: string;
  readonly credential?: Credential;
  /** Longest wait for an answer; default: 30 s. */
  readonly timeoutMs?: number;
  /** Called with what a developer should know and no caller waits for: fields of a body that the daemon ignored. */
  readonly debug?: (message: string) => void;
  /** Sends the requests; default: the `fetch` of the platform. It follows no redirects. */
  readonly transport?: Transport;
  /** Returns the Idempotency-Key of a change that is sent to the path with the body; default: a new one each time. */
  readonly idempotencyKeyFor?: (path: string, body: unknown) => string;
}

const timeoutMsDefault = 30_000;

export const credentialHeaders = (credential: Credential | undefined): Record<string, string> => {
  if (credential === undefined) return {};
  return credential.kind === 'apiKey'
    ? { 'X-API-Key': credential.key }
    : { Authorization: `Bearer ${credential.token}` };
};

interface RequestParts {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

function urlOf(baseUrl: string, route: Route, { params, query = {} }: RequestParts): URL {
  const url = new URL(baseUrl.replace(/\/$/, '') + pathOf(route.path, params));
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, String(value));
  return url;
}

const idempotencyHeader = 'idempotency-key';

const takesIdempotencyKey = ({ method, idempotencyKey, headers }: Route): boolean =>
  method === 'post' && (idempotencyKey !== false || idempotencyHeader in (headers?.shape ?? {}));

const headersOf = ({ headers = {} }: RequestParts): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]));

/** Query parameters of the next part of a list. */
type NextPart = Readonly<Record<string, string>>;

/** Reads the header Link (RFC 8288) of an answer that is a part of a list. */
export function placeIn(link: string | null): NextPart | null {
  const [, search] = /^<[^>?]*\?([^>]*)>; rel="next"$/.exec(link ?? '') ?? [];
  const place = [...new URLSearchParams(search)].filter(([name]) => name === 'offset' || name === 'after');
  return place.length === 0 ? null : Object.fromEntries(place);
}

function limitOf({ query: schema }: Route, query: RequestParts['query']): number | undefined {
  const limit = schema?.shape.limit?.safeParse(query?.limit).data;
  return typeof limit === 'number' ? limit : undefined;
}

export interface FollowOptions extends EventStreamOptions {
  /** Ends the loop. */
  readonly signal?: AbortSignal;
  /**
   * Called when the stream connects, when it is lost and connects again, and when it has a gap: events that the daemon
   * does not keep any more.
   */
  readonly onNotice?: (notice: Exclude<StreamNotice, { kind: 'event' }>) => void;
}

export interface EventSourceOptions extends EventStreamOptions {
  /** IP address that opens the stream, or `any`; default: the address of this program. */
  readonly address?: string | undefined;
  /** Comma-separated, such as `type,payload.data.status`: only these fields of each event are sent. */
  readonly fields?: string | undefined;
}

/**
 * A daemon, as a program talks to it: `call` makes one call, `events` follows what happens. Works in Node.js and in
 * browsers.
 *
 * ```ts
 * const client = new EarshotClient({ baseUrl: 'http://127.0.0.1:8080', credential: { kind: 'apiKey', key } });
 * const { participants } = await client.call(routes.participants.list, { params: { projectId } });
 * ```
 *
 * A refusal is thrown as `ApiError`, with the daemon's `code` and a message that says what to do; no answer as
 * `DaemonUnreachable`, an answer that no daemon gives as `NotEarshot` or `UnexpectedAnswer`, a redirect as `Redirected`. Where
 * an answer was lost, a read is sent again up to four times, and a change that takes an Idempotency-Key once, under the same
 * key; any other change that was sent is thrown as `MayBeDone`, a DaemonUnreachable. An id that no path can carry
 * is an `InvalidPathPart`, before anything is sent.
 */
export class EarshotClient {
  readonly baseUrl: string;

  private readonly totals = new WeakMap<object, number>();
  private readonly cursors = new WeakMap<object, string>();

  /** Throws InvalidAddress. */
  constructor(private readonly options: ClientOptions) {
    checkAddress(options.baseUrl);
    this.baseUrl = options.baseUrl;
  }

  get credential(): Credential | undefined {
    return this.options.credential;
  }

  /**
   * Makes the call of a route; the types say what it takes and what comes back. An answer that is a list ends at 2 MiB:
   * then it reads on, as far as was asked for. Throws ApiError, DaemonUnreachable, NotEarshot, Redirected, UnexpectedAnswer.
   */
  async call<R extends Route>(route: R, input: CallInput<R>): Promise<Result<R>> {
    const { result, next } = await this.callOnce(route, input);
    if (!Array.isArray(result)) return result;
    const { query, ...parts }: RequestParts = input;
    // A list without pages has no limit, or one that says which rows it is made of.
    const limit = isWholeList(route) ? undefined : limitOf(route, query);
    let rest = next;
    while (rest !== null && result.length < (limit ?? Number.POSITIVE_INFINITY)) {
      const left = limit === undefined ? {} : { limit: limit - result.length };
      const part = await this.callOnce(route, { ...parts, query: { ...query, ...rest, ...left } });
      for (const row of part.result as unknown[]) result.push(row);
      rest = part.next;
    }
    if (rest?.after === undefined) this.cursors.delete(result);
    else this.cursors.set(result, rest.after);
    return result;
  }

  private callOnce<R extends Route>(
    route: R,
    input: RequestParts,
  ): Promise<{ result: Result<R>; next: NextPart | null }> {
    return this.repeated(route, input, async (parts) => {
      const response = await this.send(route, parts);
      const text = await this.whole(response.text());
      if (!response.ok) throw toApiError(response, text);
      const result = text === '' ? undefined : this.read(text);
      const problem = answerProblem(route, result);
      if (problem !== null) throw new UnexpectedAnswer(this.baseUrl, problem, route.method !== 'get');
      const total = Number(response.headers.get('X-Total-Count') ?? Number.NaN);
      if (typeof result === 'object' && result !== null && Number.isInteger(total)) this.totals.set(result, total);
      const next = placeIn(response.headers.get('Link'));
      if (typeof result === 'object' && result !== null && next?.after !== undefined)
        this.cursors.set(result, next.after);
      return { result: result as Result<R>, next };
    });
  }

  /** Makes the attempts of one call, all with the same Idempotency-Key where it takes one. */
  private repeated<T>(route: Route, input: RequestParts, attempt: (parts: RequestParts) => Promise<T>): Promise<T> {
    if (!takesIdempotencyKey(route)) {
      const repeatability: Repeatability = route.method === 'get' ? 'read' : 'never';
      return withRepeats(this.baseUrl, repeatability, () => attempt(input));
    }
    const { idempotencyKeyFor = newIdempotencyKey } = this.options;
    const stated = headersOf(input);
    const key = stated[idempotencyHeader] ?? idempotencyKeyFor(pathOf(route.path, input.params), input.body);
    const headers = { ...stated, [idempotencyHeader]: key };
    return withRepeats(this.baseUrl, { key }, () => attempt({ ...input, headers }));
  }

  /** Returns the total number of rows of the list that this answer of `call` is a page of; null: not a list. */
  totalOf(answer: object): number | null {
    return this.totals.get(answer) ?? null;
  }

  /** Returns the cursor for `after` with which the list of this answer of `call` goes on; null: these are the last rows. */
  nextOf(answer: object): string | null {
    return this.cursors.get(answer) ?? null;
  }

  /** Calls a route whose answer is not JSON, and returns the successful answer itself as it begins. */
  fetch<R extends Route>(route: R, input: CallInput<R>): Promise<Answer> {
    return this.repeated(route, input, (parts) => this.begun(route, parts));
  }

  /** Calls a route whose answer is not JSON, and returns the bytes of the whole successful answer. */
  bytes<R extends Route>(route: R, input: CallInput<R>): Promise<Uint8Array<ArrayBuffer>> {
    return this.repeated(route, input, async (parts) => {
      const response = await this.begun(route, parts);
      return new Uint8Array(await this.whole(response.arrayBuffer()));
    });
  }

  /** Opens a stream and returns its answer as it begins; only the signal ends it. Throws ApiError, DaemonUnreachable. */
  open<R extends Route>(route: R, input: CallInput<R>, signal: AbortSignal): Promise<Answer> {
    return this.begun(route, input, signal);
  }

  /** Returns an answer that is not read as a whole, once its head is there and is that of the operation. */
  private async begun(route: Route, input: RequestParts, signal?: AbortSignal): Promise<Answer> {
    const response = await this.send(route, input, signal);
    if (!response.ok) throw toApiError(response, await this.whole(response.text()));
    const { contentType } = route.success;
    const sent = response.headers.get('content-type');
    if (contentType === undefined || sent?.startsWith(contentType) === true) return response;
    await response.body?.cancel().catch(() => {}); // fails where the connection is lost by now
    throw new UnexpectedAnswer(this.baseUrl, `the media type ${sent ?? '(none)'}`, route.method !== 'get');
  }

  /**
   * Every event from now on, or from `since` on. Connects again by itself and continues after the last event, so none
   * is missed and none comes twice. Leaving the loop ends the stream. Throws ApiError when the daemon refuses for good.
   */
  async *events({ signal, onNotice = () => {}, ...options }: FollowOptions): AsyncGenerator<EarshotEvent, void> {
    // Loaded only when events are followed, because it contains the schemas of all events.
    const { EventStream } = await import('./event-stream.js');
    const stream = new EventStream(this, options);
    const close = () => stream.close();
    if (signal?.aborted === true) return;
    signal?.addEventListener('abort', close);
    try {
      for await (const notice of stream) {
        if (notice.kind === 'event') yield notice.event;
        else onNotice(notice);
      }
    } finally {
      signal?.removeEventListener('abort', close);
      close();
    }
  }

  /**
   * Returns the address of an event stream for the browser's own EventSource, which cannot send a credential. It opens one
   * stream, once, within 30 seconds, so ask for another one before each `new EventSource(url)`.
   */
  async eventSourceUrl({ projectId, ...filters }: EventSourceOptions): Promise<string> {
    const { streamTicketRoutes: tickets } = await import('../contract/streams/stream-tickets.js');
    const { url } =
      projectId === null
        ? await this.call(tickets.createForAll, { body: filters })
        : await this.call(tickets.createForProject, { params: { projectId }, body: filters });
    // The daemon's address may be another one here, and the path before that of its API.
    return this.baseUrl.replace(/\/$/, '') + url.slice(url.lastIndexOf('/api/'));
  }

  private whole<T>(reading: Promise<T>): Promise<T> {
    return reading.catch((cause: unknown) => {
      throw failureOf(this.baseUrl, cause); // it went away in the middle of its answer
    });
  }

  private read(text: string): unknown {
    try {
      return JSON.parse(text);
    } catch (cause) {
      throw new NotEarshot(this.baseUrl, cause);
    }
  }

  private async send(
    route: Route,
    input: RequestParts,
    signal = AbortSignal.timeout(this.options.timeoutMs ?? timeoutMsDefault),
  ): Promise<Answer> {
    const { baseUrl, credential, debug, transport = byFetch } = this.options;
    const { body } = input;
    const url = urlOf(baseUrl, route, input);
    const request = {
      method: route.method.toUpperCase(),
      headers: {
        ...credentialHeaders(credential),
        ...headersOf(input),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal,
    };
    const answer = await transport(url, request).catch((cause: unknown) => {
      throw failureOf(baseUrl, cause);
    });
    refuseRedirect(answer, url, baseUrl);
    const ignored = answer.headers.get(ignoredFieldsHeader);
    if (ignored !== null) debug?.(`${route.operationId}: the daemon ignores unknown fields of the body: ${ignored}`);
    return answer;
  }
}
