/** Sends the requests of the library: its only caller of `fetch`. */
import { InvalidRequest } from './invalid-request.js';

export interface TransportRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
  /** Deliver the request even when the page that sends it is being closed. */
  readonly keepalive?: boolean;
}

/** Parts of an answer that are read; a `Response` is one. */
export interface Answer
  extends Pick<Response, 'ok' | 'status' | 'statusText' | 'url' | 'redirected' | 'body' | 'text' | 'arrayBuffer'> {
  readonly headers: Pick<Headers, 'get'>;
}

/**
 * Answers as `fetch` does: once the head of the answer is there. Follows no redirect. Throws InvalidRequest where the request
 * cannot be made; rejects when nothing answers.
 */
export type Transport = (url: URL, request: TransportRequest) => Promise<Answer>;

/**
 * Nothing comes from a cache, and nothing goes into one: Firefox lets a second request for the same address wait for twenty
 * seconds, for what the first might bring.
 */
const uncached = { cache: 'no-store' } as const;
const unredirected = { redirect: 'manual' } as const;
/** Cloudflare's workers of 2024 have no cache to leave out, and refuse a request that names one. */
const hasCache = (): boolean => 'cache' in Request.prototype;

export const byFetch: Transport = (url, request) => {
  const whole = { ...request, ...(hasCache() ? uncached : {}), ...unredirected };
  try {
    new Request(url, { ...whole, signal: null }); // throws what fetch would reject with, as if the network had failed
  } catch (cause) {
    throw new InvalidRequest(url, request.headers, cause);
  }
  return fetch(url, whole);
};
