/**
 * Limits by which transactions on PostgreSQL end by themselves. A daemon that stands still (SIGSTOP, a paused machine, a
 * cut network) keeps its connections open, and with them its locks: all other daemons would wait for it without end.
 */

/**
 * A transaction that has asked nothing for so long is ended by PostgreSQL. Longer than a healthy daemon's event loop is
 * ever busy; where it was not, the transaction is done again.
 */
export const idleMaxMs = 3_000;
/**
 * Shorter than that, so that of several transactions of a daemon that stands still only those hold a lock for so long
 * that had it before: the others have given up waiting by the time it is free.
 */
const lockWaitMaxMs = 2_500;
/** The longest statement, in a transaction or not. */
const statementMaxMs = 30_000;

const limits = [
  `SET LOCAL idle_in_transaction_session_timeout = ${idleMaxMs}`,
  `SET LOCAL lock_timeout = ${lockWaitMaxMs}`,
  `SET LOCAL statement_timeout = ${statementMaxMs}`,
];
/** In one round trip. A setting of the connection would not do: behind a pooler each transaction may have another one. */
export const boundedBegin = ['BEGIN', ...limits].join('; ');
