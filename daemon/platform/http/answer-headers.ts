/** Headers of every answer, and what is recorded once it has been sent. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';
import { versionHeader } from '../../../src/names/version.js';
import { uuidv7 } from '../ids/new-id.js';
import type { Logger } from '../observability/logger.js';
import type { Answered, AnsweringRoute } from '../observability/metrics.js';
import { version } from '../version.js';

/** Target of headers that are set before the answer is sent: Node's response, or a list. */
export interface Head {
  setHeader(name: string, value: string): unknown;
  hasHeader(name: string): boolean;
}

/**
 * Headers in the order in which they were set first, for hot routes: Node's response makes several objects for each and
 * keeps them until its end. Every name is to be written in one way.
 */
export class HeaderList implements Head {
  /** Names and values in turn, as `writeHead` takes them. */
  readonly flat: string[] = [];

  setHeader(name: string, value: string): void {
    const place = this.placeOf(name);
    if (place === null) this.flat.push(name, value);
    else this.flat[place + 1] = value;
  }

  hasHeader(name: string): boolean {
    return this.placeOf(name) !== null;
  }

  /** An answer has few headers: looking through them takes less time than a map. */
  private placeOf(name: string): number | null {
    for (let place = 0; place < this.flat.length; place += 2) if (this.flat[place] === name) return place;
    return null;
  }
}

const saneRequestId = /^[A-Za-z0-9._-]{1,64}$/;

/** The id that the client has chosen, where it can be one; a new one otherwise. */
export const requestIdOf = (given: string | undefined): string =>
  given !== undefined && saneRequestId.test(given) ? given : uuidv7();

/** Headers that are not on the response yet, for its `writeHead`. */
export const unsent = (head: Head): string[] => (head instanceof HeaderList ? head.flat : []);

const helmetHeaders = helmet({
  contentSecurityPolicy: { directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
  xPoweredBy: false, // taken off by removeHeader, and never set here
});

/** Also says the version, and forbids every cache to keep the answer: most are for one caller. Pages and their files set their own `Cache-Control`. */
export function setSecurityHeaders(request: IncomingMessage, head: Head): void {
  head.setHeader('Cache-Control', 'no-store');
  head.setHeader(versionHeader, version);
  // helmet sets headers, and does nothing else with the response.
  helmetHeaders(request, head as ServerResponse, () => {});
}

/** Allows configured origins to read the answer, and returns whether this is one; without any, no CORS header at all. */
export function setCorsHeaders(head: Head, origin: string | undefined, allowed: readonly string[]): boolean {
  head.setHeader('Vary', 'Origin');
  if (origin === undefined || !(allowed.includes(origin) || allowed.includes('*'))) return false;
  head.setHeader('Access-Control-Allow-Origin', origin);
  head.setHeader(
    'Access-Control-Expose-Headers',
    'X-Request-Id, X-Total-Count, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, RateLimit-Policy, Location, Last-Event-ID, Link, ETag, X-Ignored-Fields, X-Earshot-Version',
  );
  return true;
}

interface AnsweredRequest {
  readonly method: string;
  readonly path: string;
  readonly requestId: string;
  /** Header of W3C Trace Context. */
  readonly traceparent: string | undefined;
  /** True if the answer is a stream. */
  isStream(): boolean;
  /** The route that answered. */
  route(): AnsweringRoute;
}

/** The path as logs show it: the code of a statement or a receipt is the right to read it, and to appeal or complain. */
export const loggedPath = (path: string): string => path.replace(/^(\/api)?\/(standing|receipts)\/[^/]+/, '$1/$2/***');

/** Counts and logs the answer when it has ended. */
export function record(
  response: ServerResponse,
  { method, path, requestId, traceparent, isStream, route }: AnsweredRequest,
  answered: (answer: Answered) => void,
  log: Logger,
): void {
  const started = performance.now();
  response.once('close', () => {
    const durationMs = performance.now() - started;
    const status = response.headersSent ? String(response.statusCode) : 'aborted';
    const seconds = isStream() ? null : durationMs / 1_000;
    answered({ method, route: route(), status, seconds, requestId, traceparent });
    log.debug(
      { requestId, method, path: loggedPath(path), status, durationMs: Math.round(durationMs) },
      'request answered',
    );
  });
}
