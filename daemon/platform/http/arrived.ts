/** A request as the steps of every route see it, and its answer. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Request } from 'express';

/** Request as the steps see it, whether Express or the lane of hot routes has read it. */
export interface RouteRequest {
  readonly ip?: string | undefined;
  readonly url: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly params: Request['params'];
  readonly query: unknown;
  get(name: string): string | undefined;
  /** Express's: whether the body is of one of these types. */
  is(types: string[]): string | false | null;
}

export interface RouteAnswer {
  readonly status: number;
  readonly body: unknown;
}
