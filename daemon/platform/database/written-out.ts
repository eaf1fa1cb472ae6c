/** Statements that are written out, as Prisma's client takes them, run past it. */

type MaybeLater<T> = T | Promise<T>;

export interface WrittenStatements {
  /** The rows that the statement returns. */
  query(text: string, parameters: readonly unknown[]): MaybeLater<Record<string, unknown>[]>;
  /** Returns how many rows changed. */
  execute(text: string, parameters: readonly unknown[]): MaybeLater<number>;
}

export const writtenOut = (statements: WrittenStatements) => ({
  $queryRawUnsafe: async (text: string, ...values: unknown[]) => statements.query(text, values),
  $executeRawUnsafe: async (text: string, ...values: unknown[]) => statements.execute(text, values),
});
