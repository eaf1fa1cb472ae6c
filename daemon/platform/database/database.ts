/**
 * The database, SQLite or PostgreSQL, behind one face. Rows change only inside `transaction`, and what must happen
 * after a commit (wake-ups) is hung on the transaction. The one file where the PostgreSQL client is taken for the
 * SQLite one: both are generated from the same models, SQLite's being the poorer.
 */
import { currentDeed, outside } from './deed.js';
import { isTransient } from './errors.js';
import type { Prisma, PrismaClient } from './generated/sqlite/client.js';
import { plainQueryCompiler } from './query-compiler.js';

/** What may be used inside a transaction callback; never the outer client, which would wait for itself. */
export type Transaction = Prisma.TransactionClient;
/** For reads outside a transaction. */
export type Reader = Omit<PrismaClient, '$transaction' | '$connect' | '$disconnect' | '$on' | '$extends'>;
export type Dialect = 'sqlite' | 'postgresql';

/** Waiting for the one writer may take this long under load, and a transaction no longer than that. */
const transactionLimits = { maxWait: 15_000, timeout: 30_000 };
const attemptsMax = 5;
const postgresqlConnections = 10;

export class Database {
  private readonly afterCommits = new WeakMap<Transaction, (() => void)[]>();

  private constructor(
    readonly dialect: Dialect,
    /** `file:PATH` or the PostgreSQL address; holds a password there, so never log it. */
    readonly url: string,
    private readonly writer: PrismaClient,
    private readonly reader: PrismaClient,
    private readonly emptyLog: () => Promise<void>,
  ) {}

  /** Opens `file:PATH` or `postgresql://…`. The schema must be there: run `migrate` first. */
  static async connect(url: string): Promise<Database> {
    plainQueryCompiler();
    return url.startsWith('file:') ? Database.sqlite(url) : Database.postgresql(url);
  }

  // Each database brings packages and a client of its own; only those of the one in use are loaded.

  private static async sqlite(url: string): Promise<Database> {
    const { PrismaClient } = await import('./generated/sqlite/client.js');
    const { readingSqlite, safeSqlite } = await import('./safe-sqlite.js');
    const path = url.slice('file:'.length);
    const adapter = safeSqlite(path);
    const writer = new PrismaClient({ adapter });
    await writer.$connect();
    const reader = new PrismaClient({ adapter: readingSqlite(path) });
    return new Database('sqlite', url, writer, reader, adapter.emptyLog);
  }

  private static async postgresql(url: string): Promise<Database> {
    const { PrismaClient: PostgresqlClient } = await import('./generated/postgresql/client.js');
    const { PrismaPg } = await import('@prisma/adapter-pg');
    const adapter = new PrismaPg({ connectionString: url, max: postgresqlConnections });
    const client = new PostgresqlClient({ adapter }) as unknown as PrismaClient;
    // PostgreSQL clears away what was deleted by itself (autovacuum).
    return new Database('postgresql', url, client, client, async () => {});
  }

  /** Null when a question is answered; throws what the database says otherwise. */
  async answers(): Promise<null> {
    await this.reader.$queryRaw`SELECT 1`;
    return null;
  }

  /** Committed rows, as they are now. */
  get read(): Reader {
    return this.reader;
  }

  /** Runs `work` in one transaction: all of it or nothing. Lost races are tried again, so `work` must be repeatable. */
  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      const hooks: (() => void)[] = [];
      try {
        const result = await this.writer.$transaction(async (tx) => {
          this.afterCommits.set(tx, hooks);
          const done = await work(tx);
          await currentDeed()?.note(tx, done);
          return done;
        }, transactionLimits);
        outside(() => {
          for (const hook of hooks) hook();
        });
        return result;
      } catch (error) {
        if (attempt >= attemptsMax || !isTransient(error)) throw error;
      }
    }
  }

  /** Whether this transaction is the only one under way that asks by this name, on all daemons of the database. */
  async isAlone(tx: Transaction, name: string): Promise<boolean> {
    if (this.dialect === 'sqlite') return true; // there is one writer
    const rows = await tx.$queryRaw<
      { alone: boolean }[]
    >`SELECT pg_try_advisory_xact_lock(hashtext(${name})) AS "alone"`;
    return rows[0]?.alone === true;
  }

  /** Calls `hook` once the transaction is committed; never when it rolls back. */
  afterCommit(tx: Transaction, hook: () => void): void {
    const hooks = this.afterCommits.get(tx);
    if (hooks === undefined) throw new Error('afterCommit was called outside a transaction of this database.');
    hooks.push(hook);
  }

  /** Leaves nothing behind of what was deleted before, unless another process is reading the file: call it again then. */
  async dropLeftovers(): Promise<void> {
    await this.emptyLog();
  }

  async close(): Promise<void> {
    await this.writer.$disconnect();
    if (this.reader !== this.writer) await this.reader.$disconnect();
  }
}

/**
 * Values that one question may name: Prisma takes no more than 999 parameters to SQLite, and does not divide every question
 * by itself.
 */
export const idsAtOnce = 500;

/** A time as Prisma stores it in SQLite; raw statements must write the very same form. */
export const sqlTime = (time: Date): string => time.toISOString().replace('Z', '+00:00');

/** A value of a row as the set-based statements take it. */
export const sqlValue = (value: unknown): unknown => (value instanceof Date ? sqlTime(value) : value);
