/** Answers unreadable requests with the error body of the API, written to the socket by hand. */
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ErrorCode } from '../../../src/contract/error-catalogue.js';
import { DomainError, type ErrorBody } from '../../../src/contract/errors.js';
import { uuidv7 } from '../ids/new-id.js';

const meaning: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/** Answers and closes; a connection that is already closed is left alone. */
export function answerUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  refuseByHand(new DomainError(meaning[error.code ?? ''] ?? 'malformed_request'), socket);
}

/** Answers and closes, without what else is done for requests. */
export function refuseByHand(
  { status: statusCode, code, message, retryAfterSeconds }: DomainError,
  socket: Duplex,
): void {
  const phrase = STATUS_CODES[statusCode] ?? 'Error';
  const requestId = uuidv7();
  const body: ErrorBody = { statusCode, error: phrase, code, message, requestId };
  const text = JSON.stringify(body);
  const head = [
    `HTTP/1.1 ${statusCode} ${phrase}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(text)}`,
    `X-Request-Id: ${requestId}`,
    'X-Content-Type-Options: nosniff',
    ...(retryAfterSeconds === undefined ? [] : [`Retry-After: ${retryAfterSeconds}`]),
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`);
}
