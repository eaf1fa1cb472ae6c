/** What a database error means, without its supplier's name: stores translate by these. */

const codeOf = (error: unknown): string | null =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;

const textOf = (error: unknown): string => (error instanceof Error ? `${error.message} ${JSON.stringify(error)}` : '');

/** A row with the same unique value exists. */
export const isUniqueViolation = (error: unknown): boolean =>
  codeOf(error) === 'P2002' ||
  (codeOf(error) === 'P2010' && /UNIQUE constraint|unique constraint|23505/.test(textOf(error)));

/** The row to change is not there. */
export const isRowMissing = (error: unknown): boolean => codeOf(error) === 'P2025';

/** A row that this one points at is not there. */
export const isForeignKeyViolation = (error: unknown): boolean => codeOf(error) === 'P2003';

/** The transaction lost against another one and may simply be tried again. */
export const isTransient = (error: unknown): boolean =>
  codeOf(error) === 'P2034' || (codeOf(error) === 'P2010' && /40001|40P01|deadlock detected/.test(textOf(error)));
