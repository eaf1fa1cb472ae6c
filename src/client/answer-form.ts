/** Checks that an answer has the form that its operation states, whoever gave it. */
import type { z } from 'zod';
import type { Route } from '../contract/route.js';

type FormIssue = z.core.$ZodIssue;

/**
 * Returns what is wrong with the body of a successful answer; null: nothing. Other fields, values, lengths and formats are
 * left to newer daemons; what is missing, or of another kind, is not.
 */
export function answerProblem({ success }: Route, body: unknown): string | null {
  if (success.body === undefined) return body === undefined ? null : 'a body, where none belongs';
  const parsed = success.body.safeParse(body, { reportInput: true });
  const issue = parsed.error?.issues.find(isOfAnotherForm);
  if (issue === undefined) return null;
  return `${issue.path.length === 0 ? 'the body' : issue.path.join('.')}: ${issue.message}`;
}

function isOfAnotherForm(issue: FormIssue): boolean {
  if (issue.code === 'invalid_type') return true;
  if (issue.code === 'invalid_value') return issue.input === undefined;
  if (issue.code !== 'invalid_union') return false;
  return issue.errors.length > 0 && issue.errors.every((branch) => branch.some(isOfAnotherForm));
}
