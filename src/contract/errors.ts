/** Errors of the daemon: rules throw `DomainError`, and `daemon/platform/http/errors.ts` alone turns it into an answer. */
import { z } from 'zod';
import { type ErrorCode, errorCatalogue } from './error-catalogue.js';

/** One finding of validation; `path` is dotted from the part of the request it was found in. */
export interface ErrorDetail {
  path: string;
  message: string;
}

export interface DomainErrorOptions {
  /** Values for the log and, where they help the caller, for `details`. */
  details?: ErrorDetail[];
  /** Replaces the standard sentence where the case can be described more exactly. */
  message?: string;
  /** Seconds for the header Retry-After. */
  retryAfterSeconds?: number;
  cause?: unknown;
}

/** A refusal by a rule. Any other error is a fault and is answered with `internal`. */
export class DomainError extends Error {
  readonly status: number;
  readonly details: ErrorDetail[] | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    readonly code: ErrorCode,
    options: DomainErrorOptions = {},
  ) {
    super(options.message ?? errorCatalogue[code].message, { cause: options.cause });
    this.name = 'DomainError';
    this.status = errorCatalogue[code].status;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** Why somebody may not do something, and until when; null: until somebody lifts it. */
export interface Hindrance {
  readonly reason: string;
  readonly until: Date | null;
}

export const withReason = (sentence: string, reason: string): string =>
  reason === '' ? sentence : `${sentence} Reason: ${reason}`;

/** Refuses with the reason, and with the end in `details` (`until`). */
export const refusalWhile = (
  code: ErrorCode,
  { reason, until }: Hindrance,
  sentence: string = errorCatalogue[code].message,
): DomainError =>
  new DomainError(code, {
    message: withReason(sentence, reason),
    details: until === null ? [] : [{ path: 'until', message: until.toISOString() }],
  });

const ErrorParts = z.object({
  error: z.string().describe('Reason phrase'),
  message: z.string().describe('What to do about it, for people'),
  requestId: z.string().describe('Id of the request, also in X-Request-Id'),
  details: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});

/** The body of every refusal. */
export const ErrorBody = z
  .object({
    statusCode: z.int().describe('HTTP status'),
    code: z.string().describe('What went wrong, for programs'),
    ...ErrorParts.shape,
  })
  .meta({ id: 'ErrorBody' });
export type ErrorBody = z.infer<typeof ErrorBody>;

/** The form of the same body that the public SDKs read. Under `/api/v1` a refusal has the fields of both. */
export const GameplayErrorBody = z
  .object({
    status_code: z.int().describe('HTTP status'),
    error_slug: z.string().describe('What went wrong, for programs'),
    ...ErrorParts.shape,
  })
  .meta({ id: 'GameplayErrorBody' });
