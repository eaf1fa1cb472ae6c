/**
 * What an operator may ask of an installation beside the API: a name and the shapes of question and answer. The daemon
 * that holds the data folder carries it out; where none runs, the command does so itself on the files.
 */
import type { z } from 'zod';

export interface AdminOperation<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly input: I;
  readonly output: O;
}

/** An operation with what carries it out. */
export interface AdminHandler {
  readonly operation: AdminOperation;
  /** Parses the question. Throws Refused with what to do, ZodError, and what nobody expected. */
  run(question: unknown): Promise<unknown>;
}

/** `work` throws Refused with what to do. */
export const handlerOf = <I extends z.ZodType, O extends z.ZodType>(
  operation: AdminOperation<I, O>,
  work: (input: z.output<I>) => Promise<z.input<O>>,
): AdminHandler => ({ operation, run: (question) => work(operation.input.parse(question)) });
