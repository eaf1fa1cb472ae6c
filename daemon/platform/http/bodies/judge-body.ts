/** Turns the bytes of a body into the value that a route takes. Pure; large bodies are judged by it in a thread. */
import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { DomainError, type ErrorDetail } from '../../../../src/contract/errors.js';
import { judge } from '../../../../src/contract/judge.js';
import { parseJson } from '../text.js';

/** Problems that an answer names. */
const detailsMax = 50;

/** The value of one part of a request. Throws validation_failed. */
export function judgePart(schema: z.ZodType | undefined, part: string, value: unknown): unknown {
  if (schema === undefined) return undefined;
  const judged = judge(schema, value);
  if (judged.success) return judged.data;
  const details: ErrorDetail[] = judged.problems.slice(0, detailsMax).map(({ path, message }) => ({
    path: [part, ...path].join('.'),
    message,
  }));
  throw new DomainError('validation_failed', { details });
}

/** Throws malformed_json, text_not_allowed, validation_failed. */
export const judgeBody = (schema: z.ZodType, bytes: Buffer): unknown =>
  judgePart(schema, 'body', bytes.length === 0 ? undefined : parseJson(bytes));

/** Two bodies with the same hash are the same. */
export const hashOfBody = (bytes: Buffer): string => createHash('sha256').update(bytes).update('\0').digest('hex');
