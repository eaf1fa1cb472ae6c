/**
 * An operation for operators that is not part of the API: a name and the schemas of request and answer. The daemon that
 * holds the data folder carries it out; where none runs, the command does it directly on the files.
 */

import type { z } from 'zod';
import { judge, problemLines } from '../../src/contract/judge.js';
import { Refused } from './refused.js';

export interface AdminOperation<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly input: I;
  readonly output: O;
}

/** An operation with its implementation. */
export interface AdminHandler {
  readonly operation: AdminOperation;
  /** Parses the request. Throws Refused with what to do or which field is wrong, and unexpected errors. */
  run(question: unknown): Promise<unknown>;
}

/** `work` throws Refused with what to do. */
export const handlerOf = <I extends z.ZodType, O extends z.ZodType>(
  operation: AdminOperation<I, O>,
  work: (input: z.output<I>) => Promise<z.input<O>>,
): AdminHandler => ({
  operation,
  run: async (question) => {
    const judged = judge(operation.input, question);
    if (!judged.success) throw new Refused(problemLines(judged.problems, 'input').join('\n'));
    return work(judged.data);
  },
});
