/**
 * The only way to call addresses that a project configures, or an identity provider names: resolved, checked, and connected
 * to exactly as checked, so that a name cannot change its address in between. Redirects are not followed.
 */
import type { LookupAddress } from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { TimedOut, withTimeLimit } from '../time/time-limit.js';
import { nameLookup, type Resolve } from './names.js';
import { Reachable } from './reachable.js';

/** Outbound calls may not reach the address. */
export class BlockedAddress extends Error {
  override name = 'BlockedAddress';
  constructor(what: string) {
    super(`blocked_address: ${what} must not be called; EARSHOT_OUTBOUND_ALLOW allows networks that are not public.`);
  }
}

class AnswerTooLarge extends Error {
  override name = 'AnswerTooLarge';
  constructor(bytesMax: number) {
    super(`the answer is larger than ${bytesMax} bytes`);
  }
}

/** The connection ended before the answer was complete. */
class AnswerCutOff extends Error {
  override name = 'AnswerCutOff';
  constructor() {
    super('the answer was cut off');
  }
}

export interface OutboundAnswer {
  readonly status: number;
  readonly retryAfter: string | null;
  /** At most the bytes that were asked for; the rest is not read. */
  readonly body: string;
}

/** After such a status the same call may succeed later. */
export const maySucceedLater = (status: number): boolean => status === 408 || status === 429 || status >= 500;

/** True for a call that failed after the other side may have carried it out. */
export const mayHaveArrived = (error: unknown): boolean =>
  error instanceof TimedOut ||
  error instanceof AnswerCutOff ||
  (error instanceof Error && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE'));

/** Limits of one call. */
interface CallLimits {
  /** A larger answer is refused. */
  readonly maxBytes: number;
  /** For resolving, connecting, sending and the answer together. */
  readonly timeoutMs: number;
  /** True for an address that the operator configured: it may be in any network. */
  readonly isOperators?: boolean;
}

/** How much of an answer is read. */
interface AnswerLimits {
  readonly bytesMax: number;
  /**
   * After this time, or when the connection breaks, the part received counts as the body; null: the body must be
   * complete.
   */
  readonly withinMs: number | null;
}

/** Request to send. */
interface Sending {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  /** null: none. */
  readonly body: string | null;
  /**
   * True if the receiver may carry the request out twice. Only such requests use kept connections: one that breaks does not
   * tell whether the request arrived, and the request is sent once more on a new one. Default: true for GET alone.
   */
  readonly isRepeatable?: boolean;
}

const timeoutMsDefault = 15_000;
const firstPart: AnswerLimits = { bytesMax: 64 * 1024, withinMs: null };
const idleMsDefault = 5_000;
/** Connections that are kept for the next calls to one receiver. */
const idleMax = 8;

/** Adds the name of the program, unless the headers have another one. */
const withUserAgent = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.keys(headers).some((name) => name.toLowerCase() === 'user-agent')
    ? headers
    : { ...headers, 'User-Agent': 'earshot' };

type Agents = Readonly<Record<'http:' | 'https:', http.Agent>>;

export class Outbound {
  private readonly reachable: Reachable;
  private closed = false;
  /** Keeps connections for other calls. */
  private readonly keeping: Agents;
  /** Opens a connection for each call. */
  private readonly opening: Agents = { 'http:': new http.Agent(), 'https:': new https.Agent() };

  constructor(
    networks: readonly string[],
    private readonly resolve: Resolve = nameLookup(),
    /** Time limit of `post` and `postForStatus`. */
    private readonly timeoutMs = timeoutMsDefault,
    /** How long a connection is kept for another call. */
    idleMs = idleMsDefault,
  ) {
    this.reachable = new Reachable(networks);
    const kept = { keepAlive: true, timeout: idleMs, maxFreeSockets: idleMax };
    this.keeping = { 'http:': new http.Agent(kept), 'https:': new https.Agent(kept) };
  }

  /** Sends a repeatable POST; returns the first 64 KiB of the answer. Throws BlockedAddress, TimedOut, and network errors. */
  post(address: string, headers: Readonly<Record<string, string>>, body: string): Promise<OutboundAnswer> {
    return this.call(address, { method: 'POST', headers, body, isRepeatable: true }, firstPart, this.timeoutMs);
  }

  /** Returns the whole answer. Throws as `post` does, and AnswerTooLarge. */
  async request(address: string, sending: Sending, limits: CallLimits): Promise<OutboundAnswer> {
    const { maxBytes, timeoutMs, isOperators = false } = limits;
    const reading = { bytesMax: maxBytes + 1, withinMs: null };
    const answer = await this.call(address, sending, reading, timeoutMs, null, isOperators);
    if (Buffer.byteLength(answer.body) > maxBytes) throw new AnswerTooLarge(maxBytes);
    return answer;
  }

  /**
   * Sends a repeatable POST. Returns the status, with the part of the body that comes at once: a slow or broken body changes nothing. Throws as `post`
   * does, and at once when it is interrupted.
   */
  postForStatus(
    address: string,
    headers: Readonly<Record<string, string>>,
    body: string,
    { bytesMax, withinMs }: AnswerLimits,
    interrupted: AbortSignal,
  ): Promise<OutboundAnswer> {
    const sending = { method: 'POST', headers, body, isRepeatable: true };
    return this.call(address, sending, { bytesMax, withinMs }, this.timeoutMs, interrupted);
  }

  private async call(
    address: string,
    sending: Sending,
    reading: AnswerLimits,
    timeoutMs: number,
    interrupted: AbortSignal | null = null,
    isOperators = false,
  ): Promise<OutboundAnswer> {
    const url = new URL(address);
    if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new BlockedAddress(`the scheme ${url.protocol}`);
    if (url.username !== '' || url.password !== '') throw new BlockedAddress('an address with user information');
    return withTimeLimit(timeoutMs, interrupted, (signal) => this.connect(url, sending, signal, reading, isOperators));
  }

  private async connect(
    url: URL,
    sending: Sending,
    signal: AbortSignal,
    reading: AnswerLimits,
    isOperators: boolean,
  ): Promise<OutboundAnswer> {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const judged = await Promise.race([this.judge(host, isOperators), ended(signal)]);
    // In a later turn: until then the request does not listen for errors of its socket, and `connect()` may fail at once.
    const connectTo: LookupFunction = (_host, options, callback) =>
      void setImmediate(() => {
        if (options.all === true) callback(null, [...judged]);
        else callback(null, judged[0].address, judged[0].family);
      });
    return this.send(url, connectTo, sending, signal, reading);
  }

  /** Aborts the calls in progress. */
  close(): void {
    this.closed = true;
    for (const agents of [this.keeping, this.opening]) for (const agent of Object.values(agents)) agent.destroy();
  }

  /** The addresses of the name, if all of them may be reached, as those of the operator always may. */
  private async judge(host: string, isOperators: boolean): Promise<[LookupAddress, ...LookupAddress[]]> {
    const family = isIP(host);
    const [first, ...others] = family === 0 ? await this.resolve(host) : [{ address: host, family }];
    const isBlocked = ({ address }: LookupAddress) => !isOperators && !this.reachable.allows(address);
    if (first === undefined || [first, ...others].some(isBlocked)) throw new BlockedAddress(host);
    return [first, ...others];
  }

  private send(
    url: URL,
    connectTo: LookupFunction,
    sending: Sending,
    signal: AbortSignal,
    reading: AnswerLimits,
  ): Promise<OutboundAnswer> {
    const isTls = url.protocol === 'https:';
    const { method, headers, body, isRepeatable = method === 'GET' } = sending;
    const options = {
      method,
      headers: {
        ...withUserAgent(headers),
        ...(body === null ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }),
      },
      agent: (isRepeatable ? this.keeping : this.opening)[isTls ? 'https:' : 'http:'],
      lookup: connectTo,
      signal,
    };
    return new Promise((resolve, reject) => {
      let isAnswered = false;
      const request = (isTls ? https : http).request(url, options, (response) => {
        isAnswered = true;
        readAnswer(response, reading).then(resolve, reject);
      });
      request.on('error', (error) => {
        if (isAnswered) return; // the reader of the answer gets the error
        // A kept connection that the other side has just closed says nothing about the receiver: try a new one, once.
        const isStale = request.reusedSocket && 'code' in error && error.code === 'ECONNRESET' && !this.closed;
        if (isStale) resolve(this.send(url, connectTo, { ...sending, isRepeatable: false }, signal, reading));
        else reject(reasonOf(error));
      });
      request.end(body ?? undefined);
    });
  }
}

/** The failure at the last of several addresses: that of all together has no message. */
const reasonOf = (error: Error): unknown => (error instanceof AggregateError ? (error.errors.at(-1) ?? error) : error);

/** Rejects when the time is up. */
const ended = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

function readAnswer(response: http.IncomingMessage, { bytesMax, withinMs }: AnswerLimits): Promise<OutboundAnswer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const patience = withinMs === null ? null : setTimeout(() => stop(), withinMs);
    const answer = () => {
      if (patience !== null) clearTimeout(patience);
      resolve({
        status: response.statusCode ?? 0,
        retryAfter: response.headers['retry-after'] ?? null,
        body: Buffer.concat(chunks).subarray(0, bytesMax).toString('utf8'),
      });
    };
    const stop = () => {
      answer();
      response.destroy();
    };
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= bytesMax) stop();
    });
    response.on('error', withinMs === null ? reject : answer);
    response.on('end', answer);
    response.on('close', withinMs === null ? () => reject(new AnswerCutOff()) : answer);
  });
}
