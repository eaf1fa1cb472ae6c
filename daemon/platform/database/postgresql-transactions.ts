/**
 * Transactions on connections of PostgreSQL's pool. Statements that are written out run on the connection; Prisma's part
 * joins when it is first asked for: its work around a transaction, and around each statement, takes longer than many a
 * transaction.
 */
import { PrismaPg } from '@prisma/adapter-pg';
import type { SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import type pg from 'pg';
import { Deadline } from '../lifecycle/deadline.js';
import { boundedBegin } from './bounded-postgresql.js';
import {
  joined,
  type LastStatement,
  type OpenTransaction,
  TransactionEnded,
  type TransactionLimits,
} from './open-transaction.js';
import { postgresqlStatements } from './postgresql-statements.js';

/** All connections have been in use for too long. */
class PoolBusy extends Error {
  override name = 'PoolBusy';
  /** As PostgreSQL says that it takes no more connections. */
  readonly code = '53300';

  constructor() {
    super('All connections to the database have been in use for too long.');
  }
}

/** The database, or this process, stood still: a transaction took longer than any may. */
class TransactionTooLong extends TransactionEnded {
  /** As Prisma says it. */
  readonly code = 'P2028';
}

/** A transaction that Prisma is about to join. */
interface GroupInvitation {
  readonly connection: pg.PoolClient;
  readonly isOpen: () => boolean;
  readonly accept: () => void;
}

interface WritingPostgresql extends SqlDriverAdapterFactory {
  begin(limits: TransactionLimits): Promise<OpenTransaction>;
}

/** The driver tells the next statement that the connection is lost. */
const ignoreLoss = (): void => {};

/** A query returns what statements within it have stored. */
const storesWithin = /^\s*WITH\b[\s\S]*\b(INSERT INTO|DELETE FROM|UPDATE ")/;

/** The connection; `stored` is called when a statement on it has stored something. */
function watched(connection: pg.PoolClient, stored: () => void): pg.PoolClient {
  const query = (sent: string | pg.QueryConfig, ...rest: never[]): Promise<pg.QueryResult> => {
    const answer: Promise<pg.QueryResult> = connection.query(sent, ...rest);
    const note = ({ command, rowCount }: pg.QueryResult): void => {
      if (!rowCount) return;
      if (command !== 'SELECT' || storesWithin.test(typeof sent === 'string' ? sent : sent.text)) stored();
    };
    answer.then(note, ignoreLoss);
    return answer;
  };
  return Object.create(connection, { query: { value: query } });
}

/**
 * Adapter factory for the pool. `isPipelined`: its connections send statements without waiting for earlier answers.
 * `stored` is called after each commit of a transaction that has stored something.
 */
export function joiningPostgresql(
  pool: pg.Pool,
  nameOf: (query: { readonly sql: string }) => string,
  isPipelined: boolean,
  stored: () => void,
): WritingPostgresql {
  const stock = new PrismaPg(pool, { statementNameGenerator: nameOf });
  let invitation: GroupInvitation | null = null;
  /** Prisma does not say which transaction it joins, so one is joined after the other. */
  let turns: Promise<void> = Promise.resolve();

  async function join<T>(connection: pg.PoolClient, isOpen: () => boolean, start: () => Promise<T>): Promise<T> {
    const before = turns;
    let accept = (): void => {};
    turns = new Promise((resolve) => {
      accept = resolve;
    });
    await before;
    invitation = { connection, isOpen, accept };
    try {
      return await start();
    } finally {
      if (invitation?.accept === accept) invitation = null;
      accept();
    }
  }

  // The last connection is for readers: what a transaction reads beside itself, it would otherwise wait for without end.
  let free = Math.max(1, pool.options.max - 1);
  const waiting: (() => void)[] = [];
  const leave = (): void => {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  };
  async function enter(deadline: Deadline): Promise<void> {
    if (free > 0) {
      free -= 1;
      return;
    }
    const entered = new Promise<void>((resolve) => waiting.push(resolve));
    if (await deadline.met(entered)) return;
    void entered.then(leave);
    throw new PoolBusy();
  }

  return {
    provider: stock.provider,
    adapterName: stock.adapterName,
    async connect() {
      const inner = await stock.connect();
      const startTransaction = async () => {
        if (invitation === null) throw new Error('Prisma begins no transaction of its own.');
        const { connection, isOpen, accept } = invitation;
        invitation = null;
        accept();
        // The stock adapter asks its pool; on this copy it asks the connection of the transaction.
        return joined(Object.create(inner, { client: { value: connection } }), isOpen);
      };
      return Object.create(inner, { startTransaction: { value: startTransaction } });
    },
    async begin({ maxWait, timeout }) {
      const deadline = new Deadline(maxWait);
      await enter(deadline);
      const connection = await connected(pool, deadline).catch((error: unknown) => {
        leave();
        throw error;
      });
      connection.on('error', ignoreLoss);
      const release = (isBroken: boolean): void => {
        connection.off('error', ignoreLoss);
        connection.release(isBroken);
        leave();
      };
      try {
        if (!(await deadline.met(connection.query(boundedBegin)))) throw new PoolBusy();
      } catch (error) {
        release(true);
        throw error;
      }
      let hasStored = false;
      const noting = watched(connection, () => {
        hasStored = true;
      });
      const own = postgresqlStatements(noting, nameOf);
      let isOpen = true;
      let isLate = false;
      const requireOpen = (): void => {
        if (!isOpen) throw isLate ? new TransactionTooLong() : new TransactionEnded();
      };
      const answered = async ({ text, parameters, answered: tell, failed }: LastStatement): Promise<void> => {
        try {
          tell(await own.query(text, parameters));
        } catch (error) {
          failed(error, !isPipelined); // otherwise the commit is under way
          throw error;
        }
      };
      const end = async (statement: 'COMMIT' | 'ROLLBACK', last: LastStatement | null = null): Promise<void> => {
        isOpen = false;
        clearTimeout(timer);
        let isBroken = true;
        try {
          const before = last === null ? null : answered(last);
          let sent: 'COMMIT' | 'ROLLBACK' = statement;
          if (!isPipelined)
            await before?.catch(() => {
              sent = 'ROLLBACK'; // the error is thrown below, when the transaction has ended
            });
          const [ended, told] = await Promise.allSettled([connection.query(sent), before]);
          isBroken = ended.status === 'rejected';
          if (told.status === 'rejected') throw told.reason;
          if (ended.status === 'rejected') throw ended.reason;
          const { command } = ended.value;
          // PostgreSQL rolls back where a statement has failed, and says so.
          if (command !== statement)
            throw new Error('A statement of the transaction has failed, so nothing is stored.');
        } finally {
          release(isBroken);
        }
      };
      const rollback = async (): Promise<void> => {
        if (isOpen) await end('ROLLBACK').catch(() => {}); // the server ends what a lost connection has begun
      };
      const timer = setTimeout(() => {
        isLate = isOpen;
        void rollback();
      }, timeout);
      return {
        statements: {
          query: (text, parameters) => {
            requireOpen();
            return own.query(text, parameters);
          },
          execute: (text, parameters) => {
            requireOpen();
            return own.execute(text, parameters);
          },
        },
        requireOpen,
        join: (start) => join(noting, () => isOpen, start),
        async commit(last) {
          requireOpen();
          await end('COMMIT', last);
          if (hasStored) stored();
        },
        rollback,
      };
    },
  };
}

/** Throws PoolBusy. */
async function connected(pool: pg.Pool, deadline: Deadline): Promise<pg.PoolClient> {
  const connecting = pool.connect();
  if (await deadline.met(connecting)) return connecting;
  connecting.then(
    (late) => late.release(),
    () => {},
  );
  throw new PoolBusy();
}
