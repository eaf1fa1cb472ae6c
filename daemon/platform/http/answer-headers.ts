/** Headers of every answer, and what is recorded once it has been sent. */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';
import { newId } from '../new-id.js';
import type { Logger } from '../observability/logger.js';
import type { Answered } from '../observability/metrics.js';

type Header = readonly [name: string, value: string];

const saneRequestId = /^[A-Za-z0-9._-]{1,64}$/;

/** The id that the client has chosen, where it can be one; a new one otherwise. */
export const requestIdOf = (given: string | undefined): string =>
  given !== undefined && saneRequestId.test(given) ? given : newId();

/** Keeps the headers that are set. */
class Noted extends ServerResponse {
  readonly noted: Header[] = [];

  override setHeader(name: string, value: unknown): this {
    this.noted.push([name, String(value)]);
    return this;
  }
}

/** What helmet sets; it is the same for every answer. */
function securityHeaders(): Header[] {
  const response = new Noted(new IncomingMessage(new Socket()));
  const set = helmet({ contentSecurityPolicy: { directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } } });
  set(response.req, response, () => {});
  return response.noted;
}
const fixed = securityHeaders();

export function setSecurityHeaders(response: ServerResponse): void {
  for (const [name, value] of fixed) response.setHeader(name, value);
}

interface Recorded {
  readonly method: string;
  readonly path: string;
  readonly requestId: string;
  /** The path of the route that answered, as the contract writes it, or `other`. */
  route(): string;
}

/** Counts and logs the answer when it has ended. */
export function record(
  response: ServerResponse,
  { method, path, requestId, route }: Recorded,
  answered: (answer: Answered) => void,
  log: Logger,
): void {
  const started = performance.now();
  response.once('close', () => {
    const durationMs = performance.now() - started;
    const status = response.headersSent ? String(response.statusCode) : 'aborted';
    const isStream = String(response.getHeader('content-type')).startsWith('text/event-stream');
    answered({ method, route: route(), status, seconds: isStream ? null : durationMs / 1_000 });
    log.debug({ requestId, method, path, status, durationMs: Math.round(durationMs) }, 'request answered');
  });
}
