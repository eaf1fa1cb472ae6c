/** What a database error means, independent of the database: stores translate errors with these. */

const codeOf = (error: unknown): string | null =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;

const textOf = (error: unknown): string => (error instanceof Error ? `${error.message} ${JSON.stringify(error)}` : '');

/** A row with the same unique value exists. */
export const isUniqueViolation = (error: unknown): boolean =>
  codeOf(error) === 'P2002' ||
  /^SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY)$/.test(codeOf(error) ?? '') ||
  (codeOf(error) === 'P2010' && /UNIQUE constraint|unique constraint|23505/.test(textOf(error)));

/** The row to change does not exist. */
const isRowMissing = (error: unknown): boolean => codeOf(error) === 'P2025';

/** A row that this one refers to does not exist. */
export const isForeignKeyViolation = (error: unknown): boolean =>
  codeOf(error) === 'P2003' ||
  codeOf(error) === 'SQLITE_CONSTRAINT_FOREIGNKEY' ||
  (codeOf(error) === 'P2010' && /FOREIGN KEY constraint|foreign key constraint|23503/.test(textOf(error)));

const outageCodes = /^(P1\d{3}|P20(24|28|37)|SQLITE_(BUSY|CANTOPEN|FULL|IOERR)\w*|ECONN\w+|EPIPE|ETIMEDOUT)$/;
/**
 * PostgreSQL's classes for lost connections, no room, an operator's doing and a failing disk; 25006: another server has
 * become the primary one; 55000: the database takes no connections (Appendix A of its manual).
 */
const outageTexts = /"((08|53|57|58)\w{3}|25006|55000)"|SQLITE_(BUSY|FULL|IOERR)/;
/** As the driver of PostgreSQL says it, without a code. */
const connectionLost = /^(Client has encountered a connection error|Connection terminated)/;

/**
 * The database cannot be reached or its disk is full: no row is the cause, and smaller parts of the work would fail
 * too.
 */
export const isOutage = (error: unknown): boolean =>
  outageCodes.test(codeOf(error) ?? '') ||
  (error instanceof Error && connectionLost.test(error.message)) ||
  (/^P20(10|39)$/.test(codeOf(error) ?? '') && outageTexts.test(textOf(error)));

/** Another transaction stored the same thing a moment earlier; reading again finds it. */
class LostRace extends Error {
  override name = 'LostRace';
}

/** For inserts that several callers may race for: throws LostRace instead of the unique violation. */
export function asLostRace(error: unknown): never {
  throw isUniqueViolation(error) ? new LostRace('the row is there already', { cause: error }) : error;
}

/**
 * The transaction lost against another one and may be retried: it was chosen to break a deadlock, or a row that it had
 * just read was deleted before it changed or referred to it. The next try sees the current rows.
 */
export const isTransient = (error: unknown): boolean =>
  error instanceof LostRace ||
  codeOf(error) === 'P2034' ||
  isRowMissing(error) ||
  isForeignKeyViolation(error) ||
  (codeOf(error) === 'P2010' && /40001|40P01|deadlock detected/.test(textOf(error)));
