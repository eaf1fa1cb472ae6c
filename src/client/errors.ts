/** Errors of calls to a daemon. Each message says what to do. */
import type { ErrorDetail } from '../contract/errors.js';
import type { Answer } from './transport.js';
import { addressProblem, whyUnreachable } from './unreachable.js';

/** Too many at once, or a daemon that stops or is not reached through its proxy. */
const passing = new Set([408, 425, 429, 500, 502, 503, 504]);

/** The daemon refused; `message` says what to do. */
export class ApiError extends Error {
  override name = 'ApiError';
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly requestId: string | null,
    readonly details: readonly ErrorDetail[],
    readonly retryAfterSeconds: number | null,
  ) {
    super(message);
  }

  /** True if asking again later can help. */
  get isPassing(): boolean {
    return passing.has(this.status);
  }
}

/** The text is not the address of a daemon. */
export class InvalidAddress extends Error {
  override name = 'InvalidAddress';
}

/** A path cannot carry the id or name: HTTP clients would fold it away, and the request would reach what stands above. */
export class InvalidPathPart extends Error {
  override name = 'InvalidPathPart';
}

/** Throws InvalidAddress. */
export function checkAddress(address: string, schemes: readonly string[] = ['http', 'https']): void {
  const problem = addressProblem(address, schemes);
  if (problem !== null) throw new InvalidAddress(problem);
}

/** Nothing answered at the address, or not in time; the message says why, as far as it is known. */
export class DaemonUnreachable extends Error {
  override name = 'DaemonUnreachable';
  constructor(
    readonly baseUrl: string,
    cause: unknown,
    variable = 'EARSHOT_URL',
  ) {
    super(whyUnreachable(baseUrl, cause, variable), { cause });
  }
}

/** The address answers requests, and opens no WebSocket. */
export class UpgradeMissing extends Error {
  override name = 'UpgradeMissing';
  constructor(url: string) {
    super(
      `The server at ${url} opens no WebSocket. A proxy in between must forward the headers Upgrade and Connection for /mqtt.`,
    );
  }
}

/** The address answers requests, and passes on no stream. */
export class StreamNotPassed extends Error {
  override name = 'StreamNotPassed';
  constructor(url: string, waitedMs: number) {
    super(
      `The stream of ${url} has not begun after ${waitedMs / 1_000} s. A proxy in between must not buffer answers: in nginx, proxy_buffering off.`,
    );
  }
}

/** Something answered at the address, and it is no daemon: a proxy, a portal, or another program on this port. */
export class NotEarshot extends Error {
  override name = 'NotEarshot';
  constructor(
    readonly baseUrl: string,
    cause: unknown,
  ) {
    super(`The server at ${baseUrl} is not Earshot. Set EARSHOT_URL to the address of the daemon.`, { cause });
  }
}

/** The stream cannot be parsed; to try again would not help. */
export class UnreadableStream extends Error {
  override name = 'UnreadableStream';
}

/** The fields of a refusal, as far as they are known: a proxy may have answered instead of the daemon. */
export function toApiError(response: Answer, text: string): ApiError {
  let body: Record<string, unknown> = {};
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null) body = { ...parsed };
  } catch {
    body = { message: `${response.status} ${response.statusText}` };
  }
  const field = (name: string): string | null => (typeof body[name] === 'string' ? body[name] : null);
  const retryAfter = Number(response.headers.get('retry-after'));
  return new ApiError(
    response.status,
    field('code') ?? 'unknown',
    field('message') ?? `${response.status} ${response.statusText}`,
    field('requestId') ?? response.headers.get('x-request-id'),
    Array.isArray(body.details) ? body.details : [],
    retryAfter > 0 ? retryAfter : null,
  );
}
