/**
 * The SQLite adapter, made safe. The stock one has one connection but lets plain queries run inside any transaction
 * that is open on it, so an acknowledged write is lost when that transaction rolls back. Here every statement and every
 * transaction takes one lock, which a transaction holds until it has ended. Transactions are begun and ended by SQLite's own
 * statements: Prisma's work around one takes longer than many a transaction.
 */
import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3';
import type { SqlDriverAdapter, SqlDriverAdapterFactory, Transaction } from '@prisma/driver-adapter-utils';
import BetterSqlite from 'better-sqlite3';
import { z } from 'zod';
import { Lock } from '../turns/lock.js';
import { LogMover, logPagesMost } from './log-mover.js';
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

/** Prisma's part of the transaction that is open: whoever has begun it ends it. */
const joined = (inner: SqlDriverAdapter): Transaction => ({
  provider: inner.provider,
  adapterName: inner.adapterName,
  options: { usePhantomQuery: true },
  queryRaw: (query) => inner.queryRaw(query),
  executeRaw: (query) => inner.executeRaw(query),
  commit: async () => {},
  rollback: async () => {},
  createSavepoint: (name) => inner.executeScript(`SAVEPOINT ${name}`),
  rollbackToSavepoint: (name) => inner.executeScript(`ROLLBACK TO ${name}`),
  releaseSavepoint: (name) => inner.executeScript(`RELEASE ${name}`),
});

const guarded = (inner: SqlDriverAdapter, lock: Lock, closing: () => Promise<void>): SqlDriverAdapter => ({
  provider: inner.provider,
  adapterName: inner.adapterName,
  queryRaw: (query) => lock.hold(() => inner.queryRaw(query)),
  executeRaw: (query) => lock.hold(() => inner.executeRaw(query)),
  executeScript: (script) => lock.hold(() => inner.executeScript(script)),
  async dispose() {
    await closing();
    await lock.hold(() => inner.dispose());
  },
  ...(inner.getConnectionInfo && { getConnectionInfo: inner.getConnectionInfo.bind(inner) }),
  startTransaction: async () => joined(inner),
});

/** The stock adapter's own connection: it offers no way to run a statement that is prepared. */
const Connected = z.object({ client: z.instanceof(BetterSqlite) });

/** A transaction was used after its end: it took too long, or work of it was not waited for. */
class TransactionEnded extends Error {
  override name = 'TransactionEnded';
}

export type RunStatements = Pick<Statements, 'query' | 'execute' | 'executeEach'>;

/** A transaction that holds the lock until it ends. Its statements throw once it has ended. */
interface OpenTransaction {
  readonly statements: RunStatements;
  /** Throws TransactionEnded, and what SQLite throws; nothing is stored then. */
  commit(): void;
  /** Does nothing where it has ended. */
  rollback(): void;
}

/** In milliseconds: how long a transaction waits for others, and how long it may take; then it is rolled back. */
export interface TransactionLimits {
  readonly maxWait: number;
  readonly timeout: number;
}

export interface WritingSqlite extends SqlDriverAdapterFactory {
  /** Throws WriterBusy, and SQLITE_BUSY where another process keeps the file. */
  begin(limits: TransactionLimits): Promise<OpenTransaction>;
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

/** What is open on the connection. */
interface Opened {
  readonly client: BetterSqlite.Database;
  readonly statements: Statements;
  readonly adapter: SqlDriverAdapter;
  readonly mover: LogMover | null;
}

/** Adapter factory for the one writing connection of a file. Deleted data is overwritten, not only marked as free. */
export function safeSqlite(path: string, isThrownAway = false): WritingSqlite {
  let opened: Opened | null = null;
  const lock = new Lock();
  const pauses = new Pauses();
  const stock = new PrismaBetterSqlite3({ url: `file:${path}`, timeout: busyTimeoutMs });
  const connection = (): Opened => {
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
      const adapter = guarded(inner, lock, async () => mover?.stop());
      opened = { client, statements: new Statements(client), adapter, mover };
      return adapter;
    },
    async begin({ maxWait, timeout }) {
      // Nothing here waits for anything outside, so a loop of transactions would keep the event loop to itself.
      await pauses.next();
      const release = await lock.takeWithin(maxWait);
      if (release === null) throw new WriterBusy('Others have been writing to the database for too long.');
      try {
        return openTransaction(connection(), timeout, release);
      } catch (error) {
        release();
        throw error;
      }
    },
    onConnection: () => connection().statements,
    async emptyLog() {
      await opened?.mover?.rest();
      await opened?.adapter.executeScript(emptyLogScript);
    },
  };
}

/** Begins at once to write: a transaction that reads first and writes later could fail half-way. */
function openTransaction({ client, statements, mover }: Opened, timeoutMs: number, ended: () => void): OpenTransaction {
  statements.execute('BEGIN IMMEDIATE', []);
  let isOpen = true;
  const own = (): Statements => {
    if (!isOpen) throw new TransactionEnded('The transaction has ended.');
    return statements;
  };
  const end = (last: 'COMMIT' | 'ROLLBACK'): void => {
    isOpen = false;
    clearTimeout(timer);
    try {
      statements.execute(last, []);
    } finally {
      if (client.inTransaction) statements.execute('ROLLBACK', []); // a commit that failed
      ended();
    }
  };
  const rollback = (): void => {
    if (isOpen) end('ROLLBACK');
  };
  const timer = setTimeout(rollback, timeoutMs);
  return {
    statements: {
      query: (...call) => own().query(...call),
      execute: (...call) => own().execute(...call),
      executeEach: (...call) => own().executeEach(...call),
    },
    commit() {
      own();
      end('COMMIT');
      mover?.committed();
    },
    rollback,
  };
}

interface ReadingSqlite extends SqlDriverAdapterFactory {
  readonly statements: Statements;
  close(): void;
}

/** Adapter factory for a reading connection: lists never wait behind writes, and it cannot write. */
export function readingSqlite(path: string): ReadingSqlite {
  const stock = new PrismaBetterSqlite3({ url: `file:${path}`, timeout: busyTimeoutMs, readonly: true });
  const connection = new BetterSqlite(path, { timeout: busyTimeoutMs, readonly: true });
  return {
    provider: stock.provider,
    adapterName: stock.adapterName,
    connect: () => stock.connect(),
    statements: new Statements(connection),
    close: () => connection.close(),
  };
}
