/** Sends the requests of the library: its only caller of `fetch`. */

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

/** Answers as `fetch` does: once the head of the answer is there. Follows no redirect. Rejects when nothing answers. */
export type Transport = (url: URL, request: TransportRequest) => Promise<Answer>;

/**
 * Nothing comes from a cache, and nothing goes into one: Firefox lets a second request for the same address wait for twenty
 * seconds, for what the first might bring.
 */
const uncached = { cache: 'no-store' } as const;
const unredirected = { redirect: 'manual' } as const;

export const byFetch: Transport = (url, request) => fetch(url, { ...request, ...uncached, ...unredirected });
