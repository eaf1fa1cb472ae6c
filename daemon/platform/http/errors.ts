/** The one place that turns errors into answers. */
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { ErrorRequestHandler } from 'express';
import { DomainError, type ErrorBody } from '../../../src/contract/errors.js';
import { isOutage, outageKind } from '../database/errors.js';
import type { Logger } from '../observability/logger.js';
import { type Head, loggedPath } from './answer-headers.js';

/** What the error means to the client. */
export const refusalOf = (error: unknown): DomainError => {
  if (error instanceof DomainError) return error;
  return undecodablePath(error) ?? (isOutage(error) ? outageOf(error) : new DomainError('internal'));
};

const outageMessages = {
  full: "The database is out of space, so nothing can be stored. Tell the operator: the daemon's log says why.",
  busy: 'The database has more to do than it can at the moment. Try again after the seconds in Retry-After.',
  away: "The database does not answer. Try again in a moment; the daemon's log says why.",
};
const outageOf = (error: unknown): DomainError =>
  new DomainError('database_unavailable', { message: outageMessages[outageKind(error)], cause: error });

/** A path that Express cannot decode. Another error with such a status is of a library that the daemon has called. */
const undecodablePath = (error: unknown): DomainError | null =>
  error instanceof URIError && Reflect.get(error, 'status') === 400
    ? new DomainError('validation_failed', { message: error.message })
    : null;

const retryAfterSecondsDefault = 1;
/** `WWW-Authenticate` of the room routes. */
const bearer = 'Bearer realm="earshot"';
const challenges = `${bearer}, ApiKey realm="earshot"`;

/** Request in which an error has happened. */
interface FailedRequest {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
}

/** How it is answered. */
interface Reply {
  readonly response: ServerResponse;
  readonly head: Head;
  send(status: number, body: ErrorBody): void;
}

function sendError(path: string, requestId: string, { head, send }: Reply, refusal: DomainError): void {
  const { status, code, message, details, retryAfterSeconds } = refusal;
  if (status === 401) head.setHeader('WWW-Authenticate', code === 'room_token_invalid' ? bearer : challenges);
  if (status === 429 || status === 503) {
    const seconds = String(Math.max(1, Math.ceil(retryAfterSeconds ?? retryAfterSecondsDefault)));
    head.setHeader('Retry-After', seconds);
    if (status === 429) head.setHeader('RateLimit-Remaining', '0');
    if (status === 429) head.setHeader('RateLimit-Reset', seconds);
  }
  const body: ErrorBody = { statusCode: status, error: STATUS_CODES[status] ?? 'Error', code, message, requestId };
  if (details !== undefined) body.details = details;
  if (path.startsWith('/api/v1/')) Object.assign(body, { status_code: status, error_slug: code });
  send(status, body);
}

/** Who is told of what concerns the operator. */
export interface FailureReports {
  readonly log: Logger;
  /** Called where the database has failed a request: whoever watches it says once that it does. */
  readonly outage: () => void;
}

/** Answers with what the error means to the client; logs what concerns the operator. */
export function refuse(error: unknown, place: FailedRequest, reply: Reply, { log, outage }: FailureReports): void {
  const { response } = reply;
  const refusal = refusalOf(error);
  const logged = { ...place, path: loggedPath(place.path) };
  const { status, code, message: reason, cause } = refusal;
  if (code === 'internal') log.error({ ...logged, err: error }, 'request failed');
  else if (status >= 500) log.warn({ ...logged, code, reason, err: cause }, 'request could not be served');
  if (code === 'database_unavailable') outage();
  if (response.headersSent || response.req.socket.destroyed) response.destroy();
  else sendError(place.path, place.requestId, reply, refusal);
}

export const errorHandler =
  (reports: FailureReports): ErrorRequestHandler =>
  (error: unknown, request, response, _next) => {
    const requestId = String(response.locals.requestId ?? '');
    const place = { requestId, method: request.method, path: request.path };
    const send = (status: number, body: ErrorBody) => void response.status(status).json(body);
    refuse(error, place, { response, head: response, send }, reports);
  };
