/**
 * The database, SQLite or PostgreSQL, behind one interface. Rows change only inside `transaction`; what must happen
 * after a commit (wake-ups) is registered on the transaction. Only this file treats the PostgreSQL client as the SQLite
 * one: both are generated from the same models, and SQLite's has fewer features.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { PreparedRows } from './bulk-rows.js';
import type { Dialect } from './dialect.js';
import { isConnectionLost, isOfServer, isTransient, wasNotSent } from './errors.js';
import type { Prisma, PrismaClient } from './generated/sqlite/client.js';
import { HeardChanges } from './heard-changes.js';
import { JoiningClient } from './joining-client.js';
import type { LastStatement, OpenTransaction, TransactionLimits } from './open-transaction.js';
import { plainQueryCompiler } from './query-compiler.js';
import { currentRecord, outside } from './request-record.js';
import { Pauses } from './slices.js';
import { statementNames } from './statement-names.js';
import type { Statements } from './statements.js';
import { type WrittenStatements, writtenOut } from './written-out.js';

/** The client inside a transaction callback; the outer client would wait for the transaction itself. */
export type Transaction = Prisma.TransactionClient;
/** For reads outside a transaction. */
export type Reader = Omit<PrismaClient, '$transaction' | '$connect' | '$disconnect' | '$on' | '$extends'>;
/** For reads that may be part of a transaction. */
export type DatabaseClient = Transaction | Reader;
type Raw = Pick<Transaction, '$queryRawUnsafe' | '$executeRawUnsafe'>;

/** State of a transaction until its end. */
interface TransactionState {
  readonly beforeCommit: (() => Promise<void>)[];
  readonly afterCommit: (() => void)[];
  readonly atEnd: (() => void)[];
  /** Ends the turn of the transaction among those of this process; null: it has none. */
  endTurn: (() => void) | null;
  /** Nothing is left to do but the commit. */
  isComplete: boolean;
  /** How long other daemons may answer from before the commit. */
  leasesMs: number;
  statements: RunningStatements | null;
  last: LastStatement | null;
}

/** True if the connection was lost before the commit was sent: then nothing of the transaction is stored. */
const isUndone = ({ isComplete }: TransactionState, error: unknown): boolean =>
  isComplete ? wasNotSent(error) : isConnectionLost(error);

/** Longest wait for the one writer under load, and longest transaction. */
const transactionLimits = { maxWait: 15_000, timeout: 30_000 };
const attemptsMax = 5;

interface Transactions {
  begin(limits: TransactionLimits, tenantId?: string): Promise<OpenTransaction>;
  /** SQLite's; PostgreSQL removes deleted rows by itself (autovacuum). */
  emptyLog?(): Promise<void>;
}

/** Statements of a transaction; `executeEach` is SQLite's. */
type RunningStatements = WrittenStatements & Partial<Pick<Statements, 'executeEach'>>;

interface PoolOptions {
  readonly directUrl?: string;
  readonly connections?: number;
}

export class Database {
  private readonly running = new WeakMap<Transaction, TransactionState>();
  /** Resolves when the last transaction that asked for a turn has ended. */
  private turns: Promise<void> = Promise.resolve();

  protected constructor(
    readonly dialect: Dialect,
    /** `file:PATH`, or PostgreSQL's own address for connections beside the pool; contains a password, so never log it. */
    readonly url: string,
    protected readonly writer: PrismaClient,
    private readonly reader: PrismaClient,
    private readonly transactions: Transactions,
    private readonly closing: () => void | Promise<void> = () => {},
    /** Another number once anybody has stored anything; null: unknown. */
    readonly version: () => number | null = () => null,
    /** null on SQLite, which needs no other daemon to tell it. */
    readonly changes: HeardChanges | null = null,
  ) {}

  /**
   * Opens `file:PATH` or `postgresql://…`. The schema must exist: run `migrate` first. `directUrl`: leads past a pooler at
   * `url`, for what belongs to one connection.
   */
  static async connect(url: string, { directUrl = url, connections = 10 }: PoolOptions = {}): Promise<Database> {
    plainQueryCompiler();
    return url.startsWith('file:') ? Database.openSqlite(url) : Database.openPostgresql(url, directUrl, connections);
  }

  // Each database needs its own packages and client; only those of the one in use are loaded.

  private static async openSqlite(url: string): Promise<Database> {
    const { PrismaClient } = await import('./generated/sqlite/client.js');
    const { readingSqlite, safeSqlite } = await import('./safe-sqlite.js');
    const path = url.slice('file:'.length);
    const adapter = safeSqlite(path);
    const writer = new PrismaClient({ adapter });
    await writer.$connect();
    const reading = readingSqlite(path);
    const reader = onConnection(new PrismaClient({ adapter: reading }), reading.statements);
    return new Database('sqlite', url, writer, reader, adapter, reading.close, reading.version);
  }

  private static async openPostgresql(url: string, directUrl: string, connections: number): Promise<Database> {
    const { PrismaClient: PostgresqlClient } = await import('./generated/postgresql/client.js');
    const { default: pg } = await import('pg');
    const { PrismaPg } = await import('@prisma/adapter-pg');
    const { joiningPostgresql } = await import('./postgresql-transactions.js');
    const { postgresqlStatements } = await import('./postgresql-statements.js');
    const { StallWatch } = await import('./stall-watch.js');
    // A pooler gives each transaction another connection, on which the name is unknown.
    const nameOf = url === directUrl ? statementNames() : () => '';
    const pipeline = url === directUrl;
    const stalls = new StallWatch(url);
    const { Client } = stalls;
    const pool = new pg.Pool({ connectionString: url, max: connections, keepAlive: true, pipeline, Client });
    stalls.start(pool);
    pool.on('error', () => {}); // an idle connection was lost; the pool opens another
    const changes = new HeardChanges();
    const adapter = joiningPostgresql(pool, nameOf, pipeline, () => changes.stored());
    const client = new PostgresqlClient({ adapter }) as unknown as PrismaClient;
    const reading = new PostgresqlClient({ adapter: new PrismaPg(pool, { statementNameGenerator: nameOf }) });
    const reader = onConnection(reading as unknown as PrismaClient, postgresqlStatements(pool, nameOf));
    const close = () => {
      stalls.stop();
      return pool.end();
    };
    return new Database('postgresql', directUrl, client, reader, adapter, close, changes.version, changes);
  }

  /** Reports what hooks after a commit throw; the daemon logs it. */
  reportHookError: (error: unknown) => void = (error) =>
    process.emitWarning(error instanceof Error ? error : String(error));

  /** Committed rows, as they are now. */
  get read(): Reader {
    return this.reader;
  }

  /** Runs `work` in one transaction: all of it or nothing. Lost races are retried, so `work` must be repeatable. */
  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      const running: TransactionState = {
        ...{ beforeCommit: [], afterCommit: [], atEnd: [], endTurn: null },
        ...{ isComplete: false, leasesMs: 0, statements: null, last: null },
      };
      let result: T;
      try {
        result = await this.begin(
          async (tx, statements) => {
            running.statements = statements;
            this.running.set(tx, running);
            const done = await work(tx);
            await currentRecord()?.note(tx, done);
            // It may have waited for rows that others had locked.
            if (this.dialect === 'postgresql') await currentRecord()?.confirm(true);
            for (const step of running.beforeCommit) await step();
            running.isComplete = true;
            return done;
          },
          () => running.last,
        );
      } catch (error) {
        if (attempt >= attemptsMax || !(isTransient(error) || isUndone(running, error))) throw error;
        continue;
      } finally {
        running.endTurn?.();
        this.runHooks(running.atEnd);
      }
      outside(() => this.runHooks(running.afterCommit));
      if (running.leasesMs > 0) await pause(running.leasesMs);
      return result;
    }
  }

  /** Stores all of `work`, or nothing. */
  protected async begin<T>(
    work: (tx: Transaction, statements: RunningStatements) => Promise<T>,
    lastOf: () => LastStatement | null,
  ): Promise<T> {
    const request = currentRecord();
    await request?.confirm(false);
    const transaction = await this.transactions.begin(transactionLimits, request?.tenantId ?? undefined);
    const client = new JoiningClient(this.writer, transaction, transactionLimits);
    try {
      if (this.dialect === 'sqlite') await request?.confirm(true);
      const result = await work(client.tx, transaction.statements);
      await client.leave();
      await transaction.commit(lastOf());
      return result;
    } catch (error) {
      await client.leave().catch(() => {}); // the first error counts
      await transaction.rollback();
      throw error;
    }
  }

  /**
   * Writes rows by a statement of `BulkRows.insertPrepared`. `leading`: the parameters ahead of the row at this place of
   * all; PostgreSQL's statement takes those of the first row of each slice.
   */
  async write(
    tx: Transaction,
    statement: string,
    slices: readonly PreparedRows[],
    leading?: (place: number) => readonly unknown[],
  ): Promise<void> {
    const pauses = new Pauses();
    let place = 0;
    for (const slice of slices) {
      const from = place;
      if ('text' in slice) await tx.$executeRawUnsafe(statement, ...(leading?.(from) ?? []), slice.text);
      else {
        const rows = leading ? slice.rows.map((row, index) => [...leading(from + index), ...row]) : slice.rows;
        this.stateOf(tx).statements?.executeEach?.(statement, rows);
      }
      place += slice.count;
      await pauses.next();
    }
  }

  /** True if this is the only transaction in progress with this name, on all daemons of the database. */
  async isAlone(tx: Transaction, name: string): Promise<boolean> {
    if (this.dialect === 'sqlite') return true; // SQLite has a single writer
    const statement = 'SELECT pg_try_advisory_xact_lock(hashtext($1)) AS "alone"';
    const rows = await tx.$queryRawUnsafe<{ alone: boolean }[]>(statement, name);
    return rows[0]?.alone === true;
  }

  /** Waits until no other transaction with this name is in progress, on any daemon of the database. */
  async takeTurn(tx: Transaction, name: string): Promise<void> {
    if (this.dialect === 'sqlite') return; // SQLite has a single writer
    await tx.$executeRawUnsafe('SELECT pg_advisory_xact_lock(hashtext($1))', name);
  }

  /** Waits until no transaction has taken the turn of this name, and shares it with others who do so; takers wait for them. */
  async shareTurn(tx: Transaction, name: string): Promise<void> {
    if (this.dialect === 'sqlite') return; // SQLite has a single writer
    await tx.$executeRawUnsafe('SELECT pg_advisory_xact_lock_shared(hashtext($1))', name);
  }

  /**
   * Waits until no other transaction of this process has a turn; this one has it until it ends. Before a lock that all
   * daemons wait for: a daemon then holds one place among those who wait, not as many as it has connections.
   */
  async takeTurnHere(tx: Transaction): Promise<void> {
    const running = this.stateOf(tx);
    if (this.dialect === 'sqlite' || running.endTurn !== null) return; // SQLite has a single writer
    const before = this.turns;
    this.turns = new Promise((resolve) => {
      running.endTurn = resolve;
    });
    await before;
  }

  /** Runs `step` at the end of the transaction, behind all that is recorded of its request. */
  beforeCommit(tx: Transaction, step: () => Promise<void>): void {
    this.stateOf(tx).beforeCommit.push(step);
  }

  /**
   * Sends the statement with the commit, so that what it locks is free after one round trip; the next transaction of this
   * process has its turn when it is answered. For a step of `beforeCommit`, and PostgreSQL.
   */
  withCommit(tx: Transaction, { text, parameters, answered, failed }: LastStatement): void {
    const running = this.stateOf(tx);
    running.last = {
      ...{ text, parameters },
      answered: (rows) => {
        answered(rows);
        running.endTurn?.();
      },
      failed: (error, isUncommitted) => {
        if (isUncommitted === true || isOfServer(error)) running.isComplete = false;
        failed(error);
      },
    };
  }

  /** The rows are stored: a caller who got the error of a hook would store them again. */
  private runHooks(hooks: readonly (() => void)[]): void {
    for (const hook of hooks)
      try {
        hook();
      } catch (error) {
        this.reportHookError(error);
      }
  }

  /** Calls `hook` after the commit; never after a rollback. An error of it is reported, and the commit stays. */
  afterCommit(tx: Transaction, hook: () => void): void {
    this.stateOf(tx).afterCommit.push(hook);
  }

  /** Calls `hook` when the transaction has ended, committed or not; ahead of what follows the commit. */
  atEnd(tx: Transaction, hook: () => void): void {
    this.stateOf(tx).atEnd.push(hook);
  }

  /** Resolves the transaction only so long after its commit. SQLite has no other daemon that would have to be waited for. */
  outlastLeases(tx: Transaction, leasesMs: number): void {
    const running = this.stateOf(tx);
    if (this.dialect === 'postgresql') running.leasesMs = Math.max(running.leasesMs, leasesMs);
  }

  private stateOf(tx: Transaction): TransactionState {
    const running = this.running.get(tx);
    if (running === undefined) throw new Error('This is not a transaction of this database.');
    return running;
  }

  /** Overwrites what was deleted before, unless another process is reading the file: then call it again later. */
  async dropLeftovers(): Promise<void> {
    await this.transactions.emptyLog?.();
  }

  async close(): Promise<void> {
    await this.writer.$disconnect();
    await this.reader.$disconnect();
    await this.closing();
  }
}

/** The client, with statements that are written out going past it. */
export const onConnection = <C extends Raw>(client: C, statements: WrittenStatements): C =>
  Object.create(client, Object.getOwnPropertyDescriptors(writtenOut(statements)));

/** Values per query: Prisma sends no more than 999 parameters to SQLite, and does not split every query by itself. */
export const idsAtOnce = 500;
/** The same for a statement with two lists of ids. */
export const idPairsAtOnce = idsAtOnce / 2;
