/** Statements that are written out, as Prisma's client takes them, run past it. */
import type { Statements } from './statements.js';

export const writtenOut = (statements: Pick<Statements, 'query' | 'execute'>) => ({
  $queryRawUnsafe: async (text: string, ...values: unknown[]) => statements.query(text, values),
  $executeRawUnsafe: async (text: string, ...values: unknown[]) => statements.execute(text, values),
});
