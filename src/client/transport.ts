/** How requests leave this program, and the only place of the library that does send them. */

export interface TransportRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
  /** The request is to arrive although the page that sends it is being closed. */
  readonly keepalive?: boolean;
}

/** Answers as `fetch` does: once the head of the answer is there. Rejects when nothing answers. */
export type Transport = (url: URL, request: TransportRequest) => Promise<Response>;

export const byFetch: Transport = (url, request) => fetch(url, request);
