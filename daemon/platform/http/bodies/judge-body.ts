/** Turns the bytes of a body into the value that a route takes. Pure; large bodies are judged by it in a thread. */
import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { DomainError, type ErrorDetail } from '../../../../src/contract/errors.js';
import { judge, judgeWithoutNulls } from '../../../../src/contract/judge.js';
import type { Route } from '../../../../src/contract/route.js';
import { parseJson } from '../text.js';

/** Problems that an answer names. */
const detailsMax = 50;

/** The value of one part of a request. Throws validation_failed. */
export function judgePart(schema: z.ZodType | undefined, part: string, value: unknown): unknown {
  if (schema === undefined) return undefined;
  return found(part, judge(schema, value));
}

function found(part: string, judged: ReturnType<typeof judge>): unknown {
  if (judged.success) return judged.data;
  const details: ErrorDetail[] = judged.problems.slice(0, detailsMax).map(({ path, message }) => ({
    path: [part, ...path].join('.'),
    message,
  }));
  throw new DomainError('validation_failed', { details });
}

/**
 * In POST and PUT null for a field that does not take it counts as left out. In PATCH null asks to remove what is there, so
 * it is refused where that cannot be. Throws malformed_json, text_not_allowed, validation_failed.
 */
export function judgeBody({ body, method }: Pick<Route, 'body' | 'method'>, bytes: Buffer): unknown {
  if (body === undefined) return undefined;
  const value = bytes.length === 0 ? undefined : parseJson(bytes);
  return found('body', method === 'patch' ? judge(body, value) : judgeWithoutNulls(body, value));
}

/** Two bodies with the same hash are the same. */
export const hashOfBody = (bytes: Buffer): string => createHash('sha256').update(bytes).update('\0').digest('hex');
