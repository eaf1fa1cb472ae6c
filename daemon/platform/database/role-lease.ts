/**
 * A role that one daemon of a database has at a time. The daemon holds a lease that ends unless it is renewed: one that
 * is frozen, or cut off from the database, gives the role up by itself before another daemon can take it.
 */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Logger } from '../observability/logger.js';
import { every } from '../time/ticks.js';
import type { Database } from './database.js';
import { KeptConnection, noticeGoneClients } from './kept-connection.js';

/** Timers may fire this much early. */
const timerMs = 2;

interface LeaseTimes {
  /** Others may take the role this long after the last renewal, by the clock of the database. */
  readonly leaseMs: number;
  /** The holder gives the role up this long after it sent its last renewal: before anybody else can have it. */
  readonly giveUpMs: number;
  readonly lookMs: number;
}
/** A holder that has not renewed for this many looks is taken for dead, though its lease goes on. */
const missedLooks = 3;
/** A daemon that waits for the role has it within ten seconds. What the holder has to end may take two seconds. */
const usualTimes: LeaseTimes = { leaseMs: 8_000, giveUpMs: 6_000, lookMs: 1_000 };

const now = `clock_timestamp() AT TIME ZONE 'UTC'`;
/** `before`: who held the role until now; null: nobody, or the last holder gave it back. */
const takeSql = `WITH before AS (SELECT "holder" FROM "RoleLease" WHERE "role" = $1)
  INSERT INTO "RoleLease" ("role", "holder", "url", "endsAt") VALUES ($1, $2, $3, ${now} + $4 * interval '1 millisecond')
  ON CONFLICT ("role") DO UPDATE SET "holder" = excluded."holder", "url" = excluded."url", "endsAt" = excluded."endsAt"
  WHERE "RoleLease"."holder" = excluded."holder" OR "RoleLease"."endsAt" < ${now}
  RETURNING (SELECT "holder" FROM before) AS "before"`;
const lookSql = `SELECT "holder", "url", "endsAt"::text,
  (EXTRACT(EPOCH FROM "endsAt" - ${now}) * 1000)::float8 AS "leftMs" FROM "RoleLease" WHERE "role" = $1 AND "endsAt" >= ${now}`;
const waitSql = `INSERT INTO "RoleCandidate" ("id", "role", "url", "endsAt")
  VALUES ($1, $2, $3, ${now} + $4 * interval '1 millisecond')
  ON CONFLICT ("id") DO UPDATE SET "url" = excluded."url", "endsAt" = excluded."endsAt"`;
const candidatesSql = `SELECT DISTINCT "url" FROM "RoleCandidate" WHERE "role" = $1 AND "endsAt" >= ${now} ORDER BY "url"`;
const endWaitSql = `DELETE FROM "RoleCandidate" WHERE "id" = $1 OR "endsAt" < ${now}`;
const releaseSql = 'DELETE FROM "RoleLease" WHERE "role" = $1 AND "holder" = $2';

interface RoleLeaseOptions {
  readonly role: string;
  /** True if this daemon takes the role when it is free. */
  readonly isWanted: boolean;
  /** Address that leads to this daemon. */
  readonly url: () => string;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly times?: LeaseTimes;
}

/** A daemon whose lease has not ended. */
interface Holder {
  readonly holder: string;
  readonly url: string;
  readonly endsAt: string;
  readonly leftMs: number;
}

/** null: no daemon has the role. */
export async function currentHolder(client: pg.Client, role: string): Promise<Holder | null> {
  return (await client.query<Holder>(lookSql, [role])).rows[0] ?? null;
}

type RoleListener = (isHeld: boolean) => Promise<void> | void;

export class RoleLease {
  private readonly id = randomUUID();
  private readonly times: LeaseTimes;
  /** null on SQLite, where a database has one daemon. */
  private readonly connection: KeptConnection | null;
  private readonly listeners: RoleListener[] = [];
  /** By the monotonic clock of this process. */
  private heldUntilMs = 0;
  private other: Holder | null = null;
  private candidates: readonly string[] = [];
  private lastState = false;
  private overtook = false;
  private endRenewals: (() => void) | null = null;
  private expiry: NodeJS.Timeout | null = null;
  private work: Promise<void> = Promise.resolve();
  private notifying: Promise<void> = Promise.resolve();

  constructor(
    { dialect, url }: Pick<Database, 'dialect' | 'url'>,
    private readonly options: RoleLeaseOptions,
  ) {
    this.times = options.times ?? usualTimes;
    const begin = async (client: pg.Client) => void (await client.query(noticeGoneClients));
    this.connection = dialect === 'sqlite' ? null : new KeptConnection(url, begin);
  }

  /** True if several daemons can share the database. */
  get isShared(): boolean {
    return this.connection !== null;
  }

  /** True while this daemon has the role. */
  get isHeld(): boolean {
    return performance.now() < this.heldUntilMs;
  }

  /** Address of the daemon that has the role; null: none was seen lately. */
  get url(): string | null {
    return this.isHeld ? this.options.url() : (this.other?.url ?? null);
  }

  /** The same, but null as well while the holder does not renew its lease: it hangs, was killed or is cut off. */
  get answeringUrl(): string | null {
    const { leaseMs, lookMs } = this.times;
    const isSilent = !this.isHeld && this.other !== null && this.other.leftMs < leaseMs - missedLooks * lookMs;
    return isSilent ? null : this.url;
  }

  /** Addresses of the daemons that wait for the role. */
  get candidateUrls(): readonly string[] {
    return this.candidates;
  }

  /** True if the holder before this daemon did not give the role back: it died, or was cut off. */
  get isTakenOver(): boolean {
    return this.overtook;
  }

  /** null while some daemon has the role. */
  get problem(): string | null {
    if (this.url !== null || !this.isShared) return null;
    return `No running daemon of this database has the role ${this.options.role}. Start one, or check why it does not run.`;
  }

  /** Calls the listener whenever this daemon gets or loses the role; the next change waits for it. */
  onChange(listener: RoleListener): void {
    this.listeners.push(listener);
  }

  /**
   * Takes the role where it is free. A daemon that is started again after it was killed has it once the lease of its own
   * former run has ended; nothing else waits for that.
   */
  async start(): Promise<void> {
    if (this.connection === null) {
      this.heldUntilMs = this.options.isWanted ? Number.POSITIVE_INFINITY : 0;
      return this.notify();
    }
    await this.connection.start();
    await this.probeHolder();
    await this.notifying;
    if (this.options.isWanted && !this.isHeld)
      this.options.logger.info(
        { role: this.options.role, holder: this.url },
        'another daemon has the role; this one is waiting to take it over',
      );
    this.endRenewals = every(this.times.lookMs, () => void this.renew());
  }

  /** Gives the role back. */
  async stop(): Promise<void> {
    this.endRenewals?.();
    if (this.expiry !== null) clearTimeout(this.expiry);
    await this.work;
    this.heldUntilMs = 0;
    const client = this.connection?.client;
    await client?.query(releaseSql, [this.options.role, this.id]).catch(() => {});
    await client?.query(endWaitSql, [this.id]).catch(() => {});
    await this.connection?.stop();
  }

  /** Renews now, for example because the address of this daemon is known only now. */
  renew(): Promise<void> {
    const { client } = this.connection ?? {};
    this.work = this.work
      .then(() => (client ? this.probeHolder() : undefined))
      .catch((error: unknown) => {
        if (client) this.connection?.lost(client);
        this.options.logger.warn({ err: error, role: this.options.role }, 'the lease of a role could not be renewed');
      });
    return this.work;
  }

  private async probeHolder(): Promise<void> {
    const client = this.connection?.client;
    if (!client) return;
    if (!this.isHeld) this.notify();
    await this.notifying; // what had to end when the role was lost has ended
    const { role, isWanted, url } = this.options;
    const { leaseMs, giveUpMs } = this.times;
    const sentAtMs = performance.now();
    if (isWanted) {
      const { rows } = await client.query<{ before: string | null }>(takeSql, [role, this.id, url(), leaseMs]);
      // A daemon that has lost the role while the answer was on its way ends its work first.
      if (this.lastState && !this.isHeld) return this.notify();
      const [taken] = rows;
      if (taken === undefined) await client.query(waitSql, [this.id, role, url(), leaseMs]);
      else await this.took(client, taken.before, sentAtMs + giveUpMs);
    }
    if (!this.isHeld) this.other = await currentHolder(client, role);
    this.candidates = (await client.query<{ url: string }>(candidatesSql, [role])).rows.map((row) => row.url);
  }

  private async took(client: pg.Client, before: string | null, untilMs: number): Promise<void> {
    const isNew = !this.isHeld;
    if (isNew) this.overtook = before !== null;
    this.other = null;
    this.heldUntilMs = untilMs;
    if (this.expiry !== null) clearTimeout(this.expiry);
    this.expiry = setTimeout(() => this.notify(), untilMs - performance.now() + timerMs);
    this.notify();
    if (isNew) await client.query(endWaitSql, [this.id]);
  }

  private notify(): void {
    const { isHeld } = this;
    if (this.lastState === isHeld) return;
    this.lastState = isHeld;
    const { role, logger } = this.options;
    if (this.isShared && !isHeld) logger.warn({ role }, 'the lease of a role has ended without a renewal');
    this.notifying = this.notifying.then(async () => {
      for (const listener of this.listeners)
        await Promise.resolve(listener(isHeld)).catch((error: unknown) =>
          logger.warn({ err: error, role }, 'a change of a role could not be acted on'),
        );
    });
  }
}
