/**
 * The set-based statements of game events. Keys are sorted by the caller: daemons that write the same rows take their
 * locks in the same order.
 */
import { bulkRows } from '../../platform/database/bulk-rows.js';
import type { Dialect } from '../../platform/database/dialect.js';

interface GameEventStatements {
  /** Parameter: `eventKeyRows`. Returns the events that are stored under them. */
  readonly knownKeys: string;
  /** For `Database.write`: `eventRows`. */
  readonly insertEvents: string;
}

/** Events are stored without an origin: a merge of people gives it. */
export const eventRows = bulkRows('GameEvent', [
  ...(['id', 'projectId', 'userId', 'teamId', 'eventName', 'eventType', 'sessionId', 'amount', 'metaData'] as const),
  ...(['idempotencyKey', 'occurredAt', 'createdAt'] as const),
]);
export const eventKeyRows = bulkRows('GameEvent', ['projectId', 'idempotencyKey']);
const keyedRows = bulkRows('GameEvent', [
  ...(['projectId', 'idempotencyKey', 'userId', 'teamId', 'eventName', 'eventType', 'sessionId', 'metaData'] as const),
]);

/** The order of the tables is forced on SQLite, which may else walk all events. */
const statements = (dialect: Dialect): GameEventStatements => ({
  knownKeys: `SELECT ${keyedRows.columns('g.')} FROM ${eventKeyRows.from(dialect)} AS k
    ${dialect === 'sqlite' ? 'CROSS JOIN' : 'JOIN'} "GameEvent" AS g ON ${eventKeyRows.equal('g', 'k')}`,
  insertEvents: eventRows.insertPrepared(dialect),
});

export const gameEventStatements: Readonly<Record<Dialect, GameEventStatements>> = {
  sqlite: statements('sqlite'),
  postgresql: statements('postgresql'),
};
