/** Failed sign-ins, counted for all daemons of the database, and the networks that accounts are known from. */
import { bulkRows } from '../../../platform/database/bulk-rows.js';
import type { Database, Transaction } from '../../../platform/database/database.js';
import { type Dialect, sqlTime } from '../../../platform/database/dialect.js';

/** A span of time in which failures are counted. */
export interface FailureWindow {
  readonly key: string;
  /** In the window; in a change: how many more or less. */
  readonly failures: number;
  readonly endsAt: Date;
}

interface KnownFrom {
  readonly account: string;
  readonly network: string;
}

const rows = bulkRows('LoginFailures', ['key', 'failures', 'endsAt']);

/** @param now twice: the parameters behind the rows */
const countSql = (dialect: Dialect, now: readonly [string, string]) => `${rows.insert(dialect)} WHERE TRUE
  ON CONFLICT ("key") DO UPDATE SET
  "failures" = CASE WHEN "LoginFailures"."endsAt" <= ${now[0]} THEN excluded."failures"
    ELSE "LoginFailures"."failures" + excluded."failures" END,
  "endsAt" = CASE WHEN "LoginFailures"."endsAt" <= ${now[1]} THEN excluded."endsAt" ELSE "LoginFailures"."endsAt" END
  RETURNING "key", "failures", "endsAt"`;
const time = (parameter: string) => `(${parameter}::timestamptz AT TIME ZONE 'UTC')`;
const count: Readonly<Record<Dialect, string>> = {
  sqlite: countSql('sqlite', ['?', '?']),
  postgresql: countSql('postgresql', [time('$2'), time('$3')]),
};
/** Only in the window in which they were counted. */
const takeBack = (dialect: Dialect) => `UPDATE "LoginFailures"
  SET "failures" = "LoginFailures"."failures" - given."failures" FROM ${rows.from(dialect)} AS given
  WHERE "LoginFailures"."key" = given."key" AND "LoginFailures"."endsAt" = given."endsAt"`;

/** Networks that are kept of an account. */
const networksMax = 20;

export class AttemptStore {
  constructor(private readonly database: Database) {}

  /** Counts in the windows that run, and begins those that do not; returns them as they are then. */
  async count(tx: Transaction, windows: readonly FailureWindow[], now: Date): Promise<Map<string, FailureWindow>> {
    // In one order, so that two daemons do not wait for each other.
    const sorted = [...windows].sort((one, other) => (one.key < other.key ? -1 : 1));
    const at = sqlTime(now);
    type Row = { key: string; failures: number | bigint; endsAt: Date | string };
    const found = await tx.$queryRawUnsafe<Row[]>(count[this.database.dialect], rows.text(sorted), at, at);
    return new Map(
      found.map((one) => [one.key, { ...one, failures: Number(one.failures), endsAt: new Date(one.endsAt) }]),
    );
  }

  async takeBack(tx: Transaction, windows: readonly FailureWindow[]): Promise<void> {
    if (windows.length > 0) await tx.$executeRawUnsafe(takeBack(this.database.dialect), rows.text(windows));
  }

  /** Ends a window. */
  async forget(tx: Transaction, key: string): Promise<void> {
    await tx.loginFailures.deleteMany({ where: { key } });
  }

  /** Returns those of the accounts, with all of their networks. */
  known(tx: Transaction, accounts: readonly string[]): Promise<KnownFrom[]> {
    return tx.loginNetwork.findMany({ where: { account: { in: [...accounts] } } });
  }

  /** True if the account was signed in to from the network. */
  isKnown = async ({ account, network }: KnownFrom): Promise<boolean> =>
    (await this.database.read.loginNetwork.count({ where: { account, network } })) > 0;

  /** Remembers the network as the latest of the account. */
  async remember(tx: Transaction, { account, network }: KnownFrom, seenAt: Date): Promise<void> {
    const key = { account_network: { account, network } };
    await tx.loginNetwork.upsert({ where: key, create: { account, network, seenAt }, update: { seenAt } });
    const where = { account };
    const oldest = await tx.loginNetwork.findMany({ where, orderBy: { seenAt: 'desc' }, skip: networksMax });
    for (const one of oldest) await tx.loginNetwork.deleteMany({ where: { account, network: one.network } });
  }
}
