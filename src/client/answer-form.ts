/** Checks that what came has the form that the contract states, whoever sent it. */
import type { z } from 'zod';
import type { Route } from '../contract/route.js';

type FormIssue = z.core.$ZodIssue;

/** Returns what is wrong with the body of a successful answer; null: nothing. */
export function answerProblem({ success }: Route, body: unknown): string | null {
  if (success.body === undefined) return body === undefined ? null : 'a body, where none belongs';
  return formProblem(success.body, body);
}

/** True if the value differs from the schema in nothing that matters. */
export const hasForm = <T>(schema: z.ZodType<T>, value: unknown): value is T => formProblem(schema, value) === null;

/**
 * Returns how the value differs from the schema; null: in nothing that matters. Other fields, values, lengths and formats are
 * left to newer daemons; what is missing, or of another kind, is not.
 */
function formProblem(schema: z.ZodType, value: unknown): string | null {
  const issue = schema.safeParse(value, { reportInput: true }).error?.issues.find(isOfAnotherForm);
  if (issue === undefined) return null;
  return `${issue.path.length === 0 ? 'the body' : issue.path.join('.')}: ${issue.message}`;
}

function isOfAnotherForm(issue: FormIssue): boolean {
  if (issue.code === 'invalid_type') return true;
  if (issue.code === 'invalid_value') return issue.input === undefined;
  if (issue.code !== 'invalid_union') return false;
  return issue.errors.length > 0 && issue.errors.every((branch) => branch.some(isOfAnotherForm));
}
