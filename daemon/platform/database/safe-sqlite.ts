/**
 * The SQLite adapter, made safe. The stock one has one connection but lets plain queries run inside any transaction
 * that is open on it, so an acknowledged write is lost when that transaction rolls back. Here every statement and every
 * transaction takes one lock, which a transaction holds until it has ended.
 */
import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3';
import type { SqlDriverAdapter, SqlDriverAdapterFactory, Transaction } from '@prisma/driver-adapter-utils';
import BetterSqlite from 'better-sqlite3';
import { z } from 'zod';

/** How long SQLite waits for another process's lock; there is one daemon per file, so this is for backups and tools. */
const busyTimeoutMs = 5_000;

const connectScript = `
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
PRAGMA foreign_keys = ON;
PRAGMA secure_delete = ON;
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

/** A first-come, first-served lock. */
class Lock {
  private tail: Promise<void> = Promise.resolve();

  /** Resolves, when it is the caller's turn, to a function that releases the lock. */
  async take(): Promise<() => void> {
    const before = this.tail;
    let release: () => void = () => {};
    this.tail = new Promise((resolve) => {
      release = resolve;
    });
    await before;
    return release;
  }

  async hold<T>(work: () => Promise<T>): Promise<T> {
    const release = await this.take();
    try {
      return await work();
    } finally {
      release();
    }
  }
}

/** Commits and rolls back as the inner transaction does, then releases the lock in any case. */
function releasing(inner: Transaction, release: () => void): Transaction {
  const ending = (end: () => Promise<void>) => async () => {
    try {
      await end();
    } finally {
      release();
    }
  };
  const commit = ending(inner.commit.bind(inner));
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

function guarded(inner: SqlDriverAdapter): SqlDriverAdapter {
  const lock = new Lock();
  return {
    provider: inner.provider,
    adapterName: inner.adapterName,
    queryRaw: (query) => lock.hold(() => inner.queryRaw(query)),
    executeRaw: (query) => lock.hold(() => inner.executeRaw(query)),
    executeScript: (script) => lock.hold(() => inner.executeScript(script)),
    dispose: () => lock.hold(() => inner.dispose()),
    ...(inner.getConnectionInfo && { getConnectionInfo: inner.getConnectionInfo.bind(inner) }),
    async startTransaction(isolation) {
      const release = await lock.take();
      try {
        const transaction = await inner.startTransaction(isolation);
        // The stock adapter begins deferred; a transaction that reads first and writes later could then fail half-way.
        await inner.executeScript('COMMIT; BEGIN IMMEDIATE');
        return releasing(transaction, release);
      } catch (error) {
        release();
        throw error;
      }
    },
  };
}

/** The stock adapter's own connection: it offers no way to run one statement many times. */
const Connected = z.object({ client: z.instanceof(BetterSqlite) });

export interface WritingSqlite extends SqlDriverAdapterFactory {
  /** Runs the statement once for each of the parameters, within the transaction that is open. */
  runEach(statement: string, parameters: Iterable<readonly unknown[]>): void;
  /** Moves the write-ahead log into the file and empties it; what others still read in it stays. */
  emptyLog(): Promise<void>;
}

/** Adapter factory for the one writing connection of a file. Deleted data is overwritten, not only marked as free. */
export function safeSqlite(path: string): WritingSqlite {
  let connected: SqlDriverAdapter | null = null;
  let connection: BetterSqlite.Database | null = null;
  const stock = new PrismaBetterSqlite3({ url: `file:${path}`, timeout: busyTimeoutMs });
  return {
    provider: stock.provider,
    adapterName: stock.adapterName,
    async connect() {
      const inner = await stock.connect();
      await inner.executeScript(connectScript);
      connection = Connected.parse(inner).client;
      connected = guarded(inner);
      return connected;
    },
    runEach(statement, parameters) {
      const prepared = connection?.prepare(statement);
      for (const one of parameters) prepared?.run(...one);
    },
    emptyLog: async () => connected?.executeScript(emptyLogScript),
  };
}

/** Adapter factory for a reading connection: lists never wait behind writes, and it cannot write. */
export const readingSqlite = (path: string): SqlDriverAdapterFactory =>
  new PrismaBetterSqlite3({ url: `file:${path}`, timeout: busyTimeoutMs, readonly: true });
