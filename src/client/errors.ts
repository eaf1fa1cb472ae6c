/** Errors of calls to a daemon. Each message says what to do. */
import type { ErrorDetail } from '../contract/errors.js';
import { InvalidRequest } from './invalid-request.js';
import type { Answer } from './transport.js';
import { addressProblem, isProgramFault, whyLost, whyUnreachable } from './unreachable.js';

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

/** Returns what is thrown where a request failed: what the program itself did wrong stays as it is. */
export const failureOf = (baseUrl: string, cause: unknown): unknown =>
  cause instanceof InvalidRequest || isProgramFault(cause) ? cause : new DaemonUnreachable(baseUrl, cause);

/** The answer to a change was lost, and repeating the request would not be harmless, or has not helped. */
export class MayBeDone extends DaemonUnreachable {
  override name = 'MayBeDone';
  /** @param idempotencyKey a repeat of the same request with this key is carried out once at most; null: it takes none */
  constructor(
    baseUrl: string,
    cause: unknown,
    readonly idempotencyKey: string | null,
  ) {
    super(baseUrl, cause);
    this.message = `The answer of ${baseUrl} was lost: ${whyLost(cause)}. What was asked for may have been done: look before you repeat it.`;
  }
}

/**
 * The address redirects. Redirects are not followed: they make a read of a change, send it twice, and show the credential to
 * another server.
 */
export class Redirected extends Error {
  override name = 'Redirected';
  /** @param target where to; null: the platform does not tell */
  constructor(
    readonly baseUrl: string,
    readonly target: string | null,
  ) {
    const instead = target === null ? 'the address that it redirects to' : target;
    super(
      `The server at ${baseUrl} redirects${target === null ? '' : ` to ${target}`}, which is not followed, so nothing was done. Set EARSHOT_URL to ${instead}.`,
    );
  }
}

/** The answer has not the form of the operation's answers. */
export class UnexpectedAnswer extends Error {
  override name = 'UnexpectedAnswer';
  constructor(
    readonly baseUrl: string,
    what: string,
    isChange: boolean,
  ) {
    const doubt = isChange ? ' What was asked for may have been done: look before you repeat it.' : '';
    super(
      `The server at ${baseUrl} answers something else than this version expects: ${what}. Set EARSHOT_URL to the address of the daemon, or use the version that the daemon has.${doubt}`,
    );
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
  return new ApiError(
    response.status,
    field('code') ?? 'unknown',
    field('message') ?? `${response.status} ${response.statusText}`,
    field('requestId') ?? response.headers.get('x-request-id'),
    Array.isArray(body.details) ? body.details : [],
    retryAfterSeconds(response.headers),
  );
}

/** Reads Retry-After (RFC 9110), seconds or a date, which is compared with the clock of whoever sent it. */
function retryAfterSeconds(headers: Answer['headers']): number | null {
  const text = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) || null;
  const sentAt = Date.parse(headers.get('date') ?? '');
  const seconds = Math.ceil((Date.parse(text) - (Number.isNaN(sentAt) ? Date.now() : sentAt)) / 1_000);
  return seconds > 0 ? seconds : null;
}
