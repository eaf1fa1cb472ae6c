/**
 * The SQLite adapter, made safe. The stock one has one connection but lets plain queries run inside any transaction
 * that is open on it, so an acknowledged write is lost when that transaction rolls back. Here every statement and every
 * transaction takes one lock, which a transaction holds until it has ended. Transactions are begun and ended by SQLite's own
 * statements: Prisma's work around one takes longer than many a transaction.
 */
import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3';
import type { SqlDriverAdapter, SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import BetterSqlite from 'better-sqlite3';
import { z } from 'zod';
import { letConnectionsIn } from '../turns/arrivals.js';
import { Lock } from '../turns/lock.js';
import { LogMover, logPagesMost } from './log-mover.js';
import { joined, type OpenTransaction, TransactionEnded, type TransactionLimits } from './open-transaction.js';
import { Pauses } from './slices.js';
import { Statements } from './statements.js';

/** How long SQLite waits for another process's lock; there is one daemon per file, so this is for backups and tools. */
const busyTimeoutMs = 5_000;

/** Pages that are kept in memory, as far as they are used. */
const cacheKib = 32_768;

const connectScript = `
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
PRAGMA foreign_keys = ON;
PRAGMA secure_delete = ON;
PRAGMA wal_autocheckpoint = ${logPagesMost};
PRAGMA cache_size = -${cacheKib};
`;

/** For a temporary file: what a loss of power leaves of it does not matter. */
const thrownAwayScript = `
PRAGMA synchronous = OFF;
PRAGMA secure_delete = OFF;
PRAGMA wal_autocheckpoint = 10000;
`;

/**
 * Pages from before a change stay in the write-ahead log until it is rewritten. A reader that still uses them (a
 * backup) is not waited for.
 */
const emptyLogScript = `
PRAGMA busy_timeout = 0;
PRAGMA wal_checkpoint(TRUNCATE);
PRAGMA busy_timeout = ${busyTimeoutMs};
`;

function guarded(
  inner: SqlDriverAdapter,
  current: () => symbol | null,
  lock: Lock,
  closing: () => Promise<void>,
): SqlDriverAdapter {
  return {
    provider: inner.provider,
    adapterName: inner.adapterName,
    queryRaw: (query) => lock.run(() => inner.queryRaw(query)),
    executeRaw: (query) => lock.run(() => inner.executeRaw(query)),
    executeScript: (script) => lock.run(() => inner.executeScript(script)),
    async dispose() {
      await closing();
      await lock.run(() => inner.dispose());
    },
    ...(inner.getConnectionInfo && { getConnectionInfo: inner.getConnectionInfo.bind(inner) }),
    async startTransaction() {
      const mine = current();
      return joined(inner, () => current() === mine);
    },
  };
}

/** The stock adapter's own connection: it offers no way to run a statement that is prepared. */
const Connected = z.object({ client: z.instanceof(BetterSqlite) });

export type RunStatements = Pick<Statements, 'query' | 'execute' | 'executeEach'>;

export interface WritingSqlite extends SqlDriverAdapterFactory {
  /** Tenants take turns. Throws WriterBusy, and SQLITE_BUSY where another process keeps the file. */
  begin(limits: TransactionLimits, tenantId?: string): Promise<OpenTransaction<RunStatements>>;
  /** Runs statements on the connection, whatever is open on it. */
  onConnection(): RunStatements;
  /** Moves the write-ahead log into the file and empties it; what others still read in it stays. */
  emptyLog(): Promise<void>;
}

/** Others have been writing for too long. */
class WriterBusy extends Error {
  override name = 'WriterBusy';
  readonly code = 'SQLITE_BUSY';
}

/** Resources of an open connection. */
interface OpenedFile {
  readonly client: BetterSqlite.Database;
  readonly statements: Statements;
  readonly adapter: SqlDriverAdapter;
  readonly mover: LogMover | null;
  /** The transaction that holds the lock; null: none. */
  current: symbol | null;
}

/** Adapter factory for the one writing connection of a file. Deleted data is overwritten, not only marked as free. */
export function safeSqlite(path: string, isThrownAway = false): WritingSqlite {
  let opened: OpenedFile | null = null;
  const lock = new Lock('database_writes');
  const pauses = new Pauses();
  const stock = new PrismaBetterSqlite3({ url: `file:${path}`, timeout: busyTimeoutMs });
  const connection = (): OpenedFile => {
    if (opened === null) throw new Error('The database is not connected.');
    return opened;
  };
  return {
    provider: stock.provider,
    adapterName: stock.adapterName,
    async connect() {
      const inner = await stock.connect();
      await inner.executeScript(connectScript);
      if (isThrownAway) await inner.executeScript(thrownAwayScript);
      const { client } = Connected.parse(inner);
      const mover = isThrownAway ? null : new LogMover(path, client, lock);
      const adapter = guarded(
        inner,
        () => opened?.current ?? null,
        lock,
        async () => mover?.stop(),
      );
      opened = { client, statements: new Statements(client), adapter, mover, current: null };
      return adapter;
    },
    async begin({ maxWait, timeout }, tenantId) {
      const release = await lock.takeWithin(maxWait, tenantId);
      if (release === null) throw new WriterBusy('Others have been writing to the database for too long.');
      try {
        // Nothing here waits for anything outside, so one transaction after the other would keep the event loop to itself.
        await pauses.next();
        await letConnectionsIn();
        return openTransaction(connection(), timeout, release);
      } catch (error) {
        release();
        throw error;
      }
    },
    onConnection: () => connection().statements,
    async emptyLog() {
      await opened?.mover?.rest();
      // To empty it again would look like a change to everything that waits for one.
      if (opened?.mover?.isEmpty) return;
      await opened?.adapter.executeScript(emptyLogScript);
    },
  };
}

/** Begins at once to write: a transaction that reads first and writes later could fail half-way. */
function openTransaction(opened: OpenedFile, timeoutMs: number, ended: () => void): OpenTransaction<RunStatements> {
  const { client, statements, mover } = opened;
  statements.execute('BEGIN IMMEDIATE', []);
  const mine = Symbol('transaction');
  opened.current = mine;
  const requireOpen = (): void => {
    if (opened.current !== mine) throw new TransactionEnded();
  };
  const own = (): Statements => {
    requireOpen();
    return statements;
  };
  const end = (): void => {
    opened.current = null;
    clearTimeout(timer);
    try {
      // SQLite has undone it already where the disk is full.
      if (client.inTransaction) statements.execute('ROLLBACK', []);
    } finally {
      ended();
    }
  };
  const rollback = (): void => {
    if (opened.current === mine) end();
  };
  const timer = setTimeout(rollback, timeoutMs);
  return {
    statements: {
      query: (text, parameters) => own().query(text, parameters),
      execute: (text, parameters) => own().execute(text, parameters),
      executeEach: (text, rows) => own().executeEach(text, rows),
    },
    requireOpen,
    join: (start) => start(), // on the one connection that there is
    commit() {
      try {
        own().execute('COMMIT', []);
      } finally {
        rollback();
      }
      mover?.committed();
    },
    rollback,
  };
}

interface ReadingSqlite extends SqlDriverAdapterFactory {
  readonly statements: Statements;
  /** Another number once any other connection, also one of another process, has stored anything. */
  version(): number;
  close(): void;
}

/** Adapter factory for a reading connection: lists never wait behind writes, and it cannot write. */
export function readingSqlite(path: string): ReadingSqlite {
  const stock = new PrismaBetterSqlite3({ url: `file:${path}`, timeout: busyTimeoutMs, readonly: true });
  const connection = new BetterSqlite(path, { timeout: busyTimeoutMs, readonly: true });
  const dataVersion = connection.prepare('PRAGMA data_version').pluck();
  let version: number | null = null;
  return {
    provider: stock.provider,
    adapterName: stock.adapterName,
    connect: () => stock.connect(),
    statements: new Statements(connection),
    version() {
      // Those who ask on the same tick share the answer.
      if (version === null) queueMicrotask(() => (version = null));
      version ??= Number(dataVersion.get());
      return version;
    },
    close: () => connection.close(),
  };
}
