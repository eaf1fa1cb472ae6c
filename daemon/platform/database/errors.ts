/** Meanings of database errors, independent of the database: stores translate errors with these. */

const codeOf = (error: unknown): string | null =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;

/** Codes of PostgreSQL itself, as its driver throws them. */
const ofDriver = /^\d[0-9A-Z]{4}$/;
/** The server itself has refused the statement, on the driver. */
export const isOfServer = (error: unknown): boolean => ofDriver.test(codeOf(error) ?? '');
/** The same, or Prisma's codes for a statement that is written out. */
const isOfStatement = (error: unknown): boolean =>
  ofDriver.test(codeOf(error) ?? '') || /^P20(10|39)$/.test(codeOf(error) ?? '');

/** What names the cause: the code where the driver has one, because its details hold values that callers chose. */
function textOf(error: unknown): string {
  const code = codeOf(error) ?? '';
  if (ofDriver.test(code)) return JSON.stringify(code);
  return error instanceof Error ? `${error.message} ${JSON.stringify(error)}` : '';
}

/** A row with the same unique value exists. */
export const isUniqueViolation = (error: unknown): boolean =>
  codeOf(error) === 'P2002' ||
  /^SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY)$/.test(codeOf(error) ?? '') ||
  (isOfStatement(error) && /UNIQUE constraint|unique constraint|23505/.test(textOf(error)));

/** The row to change does not exist. */
const isRowMissing = (error: unknown): boolean => codeOf(error) === 'P2025';

/** A row that this one refers to does not exist. */
const isForeignKeyViolation = (error: unknown): boolean =>
  codeOf(error) === 'P2003' ||
  codeOf(error) === 'SQLITE_CONSTRAINT_FOREIGNKEY' ||
  (isOfStatement(error) && /FOREIGN KEY constraint|foreign key constraint|23503/.test(textOf(error)));

const outageCodes =
  /^(P1\d{3}|P20(24|28|37)|SQLITE_(BUSY|CANTOPEN|FULL|IOERR)\w*|ECONN\w+|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|E(HOST|NET)UNREACH)$/;
/**
 * PostgreSQL's classes for lost connections, a refused login, no room, an operator's doing and a failing disk; 25006: another
 * server has become the primary one; 25P03: the transaction stood idle; 3D000: there is no such database; 55000: the database
 * takes no connections; 55P03: a lock did not come in time (Appendix A of its manual).
 */
const outageTexts = /"((08|28|53|57|58)\w{3}|25006|25P03|3D000|55000|55P03)"|SQLITE_(BUSY|FULL|IOERR)/;
/** As the driver of PostgreSQL says it, without a code: the statement was not sent, or it was cut. */
const notSent = /^Client has encountered a connection error and is not queryable/;
const connectionLost = /^(Client has encountered a connection error|Connection terminated)/;
const lostCodes = /^(P1017|ECONNRESET|EPIPE)$/;
/** The connection was ended for standing idle in a transaction, or by the server's end. */
const endedTexts = /"(25P03|57P0[12]|08(003|006))"/;

/**
 * The database cannot be reached or its disk is full: no row is the cause, and smaller parts of the work would fail
 * too.
 */
export const isOutage = (error: unknown): boolean =>
  outageCodes.test(codeOf(error) ?? '') ||
  (error instanceof Error && connectionLost.test(error.message)) ||
  (isOfStatement(error) && outageTexts.test(textOf(error)));

const fullTexts = /SQLITE_FULL|"53100"/;
const busyTexts = /P20(24|28|37)|SQLITE_BUSY|"(55P03|53300)"/;
/** Returns what an outage is: no room, too much at once, or nobody who answers. */
export function outageKind(error: unknown): 'full' | 'busy' | 'away' {
  const text = `${codeOf(error) ?? ''} ${textOf(error)}`;
  if (fullTexts.test(text)) return 'full';
  return busyTexts.test(text) ? 'busy' : 'away';
}

/** The connection of a transaction is gone, and the transaction with it unless its commit was sent. */
export const isConnectionLost = (error: unknown): boolean =>
  lostCodes.test(codeOf(error) ?? '') ||
  (error instanceof Error && connectionLost.test(error.message)) ||
  (isOfStatement(error) && endedTexts.test(textOf(error)));

/** The connection was gone before the statement was asked, so that it cannot have had an effect. */
export const wasNotSent = (error: unknown): boolean => error instanceof Error && notSent.test(error.message);

const lockTimeout = /"55P03"|lock timeout/;

/** Another transaction stored the same thing a moment earlier; reading again finds it. */
class LostRace extends Error {
  override name = 'LostRace';
}

/** For inserts that several callers may race for: throws LostRace instead of the unique violation. */
export function asLostRace(error: unknown): never {
  throw isUniqueViolation(error) ? new LostRace('the row already exists', { cause: error }) : error;
}

/**
 * The transaction lost against another one and may be retried: it was chosen to break a deadlock, waited too long for a
 * lock, or a row that it had just read was deleted before it changed or referred to it. The next try sees the current rows.
 */
export const isTransient = (error: unknown): boolean =>
  error instanceof LostRace ||
  codeOf(error) === 'P2034' ||
  isRowMissing(error) ||
  isForeignKeyViolation(error) ||
  (isOfStatement(error) && /40001|40P01|deadlock detected/.test(textOf(error))) ||
  (isOfStatement(error) && lockTimeout.test(textOf(error)));
