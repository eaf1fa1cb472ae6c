/** Turns the bytes of a body into the value that a route takes. Pure; large bodies are judged by it in a thread. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { DomainError, type ErrorDetail } from '../../../../src/contract/errors.js';
import { judge, judgeWithoutNulls } from '../../../../src/contract/judge.js';
import type { Route } from '../../../../src/contract/route.js';
import { ignoredFieldsOf, refusesUnknownFields, unknownFields } from '../../../../src/contract/unknown-fields.js';
import { parseJson, refuseLongLists, refuseUnusableText } from '../text.js';
import { mendText } from './mend-text.js';
import { underOwnNames } from './other-names.js';

export type JudgingRoute = Pick<Route, 'body' | 'method' | 'group' | 'idempotencyKey' | 'operationId'>;

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

/** The document in the bytes. Throws malformed_json, text_not_allowed, validation_failed. */
export function readBody(schema: z.ZodType | undefined, bytes: Buffer): unknown {
  const sent = parseJson(bytes);
  refuseLongLists(sent, 'body'); // before a million items are renamed and mended, which takes seconds
  const value = mendText(schema, underOwnNames(schema, sent));
  refuseUnusableText(withoutItems(schema, value), 'body');
  return value;
}

/** The value without lists whose items the operation judges one by one, so that an odd item is refused alone. */
function withoutItems(schema: z.ZodType | undefined, value: unknown): unknown {
  if (!(schema instanceof z.ZodObject) || typeof value !== 'object' || value === null) return value;
  const judgedAlone = (name: string): boolean => {
    const field: unknown = Object.hasOwn(schema.shape, name) ? schema.shape[name] : undefined;
    return field instanceof z.ZodArray && field.element instanceof z.ZodUnknown;
  };
  return Object.fromEntries(Object.entries(value).filter(([name, one]) => !(Array.isArray(one) && judgedAlone(name))));
}

/**
 * In POST and PUT null for a field that does not take it counts as left out. In PATCH null asks to remove what is there, so
 * it is refused where that cannot be. Throws malformed_json, text_not_allowed, validation_failed.
 */
export function judgeBody(route: JudgingRoute, bytes: Buffer): { readonly value: unknown; readonly ignored: string } {
  const { body, method } = route;
  if (body === undefined) return { value: undefined, ignored: '' };
  const sent = bytes.length === 0 ? undefined : readBody(body, bytes);
  const unknown = unknownFields(body, sent);
  const judged = method === 'patch' ? judge(body, sent) : judgeWithoutNulls(body, sent);
  if (unknown.length > 0 && refusesUnknownFields(route)) throw refusedFields(unknown, judged);
  return { value: found('body', judged), ignored: ignoredFieldsOf(unknown) };
}

/** Names the fields that there are not first: one of them may be what another problem is about. */
function refusedFields(unknown: readonly ErrorDetail[], judged: ReturnType<typeof judge>): DomainError {
  const problems = judged.success
    ? []
    : judged.problems.map(({ path, message }) => ({ path: path.join('.'), message }));
  const details = [...unknown, ...problems].slice(0, detailsMax);
  return new DomainError('validation_failed', {
    details: details.map(({ path, message }) => ({ path: `body.${path}`, message })),
  });
}

/** Two bodies with the same hash are the same. */
export const hashOfBody = (bytes: Buffer): string => createHash('sha256').update(bytes).update('\0').digest('hex');
