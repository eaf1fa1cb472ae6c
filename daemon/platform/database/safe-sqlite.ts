/**
 * The SQLite adapter, made safe. The stock one has one connection but lets plain queries run inside any transaction
 * that is open on it, so an acknowledged write is lost when that transaction rolls back. Here every statement and every
 * transaction takes one lock, which a transaction holds until it has ended.
 */
import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3';
import type {
  IsolationLevel,
  SqlDriverAdapter,
  SqlDriverAdapterFactory,
  Transaction,
} from '@prisma/driver-adapter-utils';
import BetterSqlite from 'better-sqlite3';
import { z } from 'zod';
import { Lock } from '../turns/lock.js';
import { LogMover, logPages, logPagesMost } from './log-mover.js';
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
PRAGMA wal_autocheckpoint = ${logPages};
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

/** The transaction that holds the lock; null between two of them. */
interface OpenTransaction {
  current: Transaction | null;
}

/** Commits and rolls back as the inner transaction does, then releases the lock in any case. */
function releasing(inner: Transaction, release: () => void, committed: () => void): Transaction {
  const ending = (end: () => Promise<void>) => async () => {
    try {
      await end();
    } finally {
      release();
    }
  };
  const commit = ending(async () => {
    await inner.commit();
    committed();
  });
  const rollback = ending(inner.rollback.bind(inner));
  return new Proxy(inner, {
    get(target, name) {
      if (name === 'commit') return commit;
      if (name === 'rollback') return rollback;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** The stock adapter begins deferred; a transaction that reads first and writes later could then fail half-way. */
async function begun(inner: SqlDriverAdapter, isolation?: IsolationLevel): Promise<Transaction> {
  const transaction = await inner.startTransaction(isolation);
  try {
    await inner.executeScript('COMMIT; BEGIN IMMEDIATE');
    return transaction;
  } catch (error) {
    // Another process kept the file for too long. The stock adapter's own lock is released by the end of its transaction.
    await transaction.rollback();
    throw error;
  }
}

function guarded(
  inner: SqlDriverAdapter,
  open: OpenTransaction,
  { lock, mover }: { readonly lock: Lock; readonly mover: LogMover | null },
): SqlDriverAdapter {
  const pauses = new Pauses();
  return {
    provider: inner.provider,
    adapterName: inner.adapterName,
    queryRaw: (query) => lock.hold(() => inner.queryRaw(query)),
    executeRaw: (query) => lock.hold(() => inner.executeRaw(query)),
    executeScript: (script) => lock.hold(() => inner.executeScript(script)),
    async dispose() {
      await mover?.stop();
      await lock.hold(() => inner.dispose());
    },
    ...(inner.getConnectionInfo && { getConnectionInfo: inner.getConnectionInfo.bind(inner) }),
    async startTransaction(isolation) {
      // Nothing here waits for anything outside, so a loop of transactions would keep the event loop to itself.
      await pauses.next();
      const release = await lock.take();
      try {
        const transaction = await begun(inner, isolation);
        open.current = transaction;
        const end = () => {
          open.current = null;
          release();
        };
        return releasing(transaction, end, () => mover?.committed());
      } catch (error) {
        release();
        throw error;
      }
    },
  };
}

/** The stock adapter's own connection: it offers no way to run a statement that is prepared. */
const Connected = z.object({ client: z.instanceof(BetterSqlite) });

/** A transaction was used after its end: it took too long, or work of it was not waited for. */
class TransactionEnded extends Error {
  override name = 'TransactionEnded';
}

export type RunStatements = Pick<Statements, 'query' | 'execute' | 'executeEach'>;

export interface WritingSqlite extends SqlDriverAdapterFactory {
  /** Runs statements in the transaction that is open now. They throw once it has ended. */
  inTransaction(): RunStatements;
  /** Runs statements on the connection, whatever is open on it. */
  onConnection(): RunStatements;
  /** Moves the write-ahead log into the file and empties it; what others still read in it stays. */
  emptyLog(): Promise<void>;
}

/** Adapter factory for the one writing connection of a file. Deleted data is overwritten, not only marked as free. */
export function safeSqlite(path: string, isThrownAway = false): WritingSqlite {
  let connected: SqlDriverAdapter | null = null;
  let statements: Statements | null = null;
  let mover: LogMover | null = null;
  const open: OpenTransaction = { current: null };
  const stock = new PrismaBetterSqlite3({ url: `file:${path}`, timeout: busyTimeoutMs });
  return {
    provider: stock.provider,
    adapterName: stock.adapterName,
    async connect() {
      const inner = await stock.connect();
      await inner.executeScript(connectScript);
      if (isThrownAway) await inner.executeScript(thrownAwayScript);
      const { client } = Connected.parse(inner);
      statements = new Statements(client);
      const lock = new Lock();
      mover = isThrownAway ? null : new LogMover(path, client, lock);
      connected = guarded(inner, open, { lock, mover });
      return connected;
    },
    inTransaction() {
      const mine = open.current;
      const own = (): Statements => {
        if (statements === null || mine === null || open.current !== mine)
          throw new TransactionEnded('The transaction has ended.');
        return statements;
      };
      return {
        query: (...call) => own().query(...call),
        execute: (...call) => own().execute(...call),
        executeEach: (...call) => own().executeEach(...call),
      };
    },
    onConnection() {
      if (statements === null) throw new Error('The database is not connected.');
      return statements;
    },
    async emptyLog() {
      await mover?.rest();
      await connected?.executeScript(emptyLogScript);
    },
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
