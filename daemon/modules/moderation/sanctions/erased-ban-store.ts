/**
 * Bans of erased people. Only a keyed hash of the external user id is kept, enough to recognise them when they come
 * back: erasure must not lift a ban.
 */
import { createHmac } from 'node:crypto';
import type { MadeQuery } from '../../../../src/contract/common.js';
import { banTypes } from '../../../../src/contract/moderation/sanction-kinds.js';
import { type Database, idsAtOnce, type Reader, type Transaction } from '../../../platform/database/database.js';
import { madeWithin } from '../../../platform/database/made-within.js';
import { Pauses, slicesOf } from '../../../platform/database/slices.js';
import type { MovingPerson } from '../../../platform/moving-person.js';
import { type ActiveSanction, isInForce } from './rules.js';
import { type SanctionRow, toActiveSanction, typeOf } from './sanction-rows.js';

interface ErasedBanRow {
  readonly id: string;
  readonly projectId: string;
  readonly personHash: string;
  readonly sessionId: string | null;
  readonly type: string;
  readonly startAt: Date;
  readonly endAt: Date | null;
}

/** A ban that was lifted, as its event names it. */
export interface LiftedBan {
  readonly id: string;
  readonly type: string;
  readonly tenantId: string;
  readonly projectId: string;
}

/** Which bans: of a batch, of an author or of a rule. */
export interface ErasedBanOrigin extends MadeQuery {
  readonly batchId?: string;
  readonly createdByUserId?: string;
  readonly createdByRuleId?: string;
}

const always = new Date(0);
const notEnded = (now: Date) => ({ OR: [{ endAt: null }, { endAt: { gt: now } }] });
const whereOf = (projectId: string, { since, until, ...origin }: ErasedBanOrigin, now: Date) => ({
  ...{ projectId, ...origin, ...madeWithin({ since, until }), ...notEnded(now) },
});

export class ErasedBans {
  constructor(
    private readonly database: Database,
    private readonly key: Uint8Array,
  ) {}

  /**
   * Keeps what may be kept of these sanctions of one person. A sanction in force counts as begun, even if the clock is
   * set back.
   */
  async keep(tx: Transaction, sanctions: readonly SanctionRow[], now: Date): Promise<void> {
    const data = sanctions
      .filter((row) => banTypes.includes(typeOf(row)) && row.externalUserId !== null)
      .map((row) => {
        const { id, projectId, sessionId, type, endAt, externalUserId } = row;
        const { createdAt, createdByUserId, batchId, evidence } = row;
        const personHash = this.hash(projectId, externalUserId ?? '');
        const startAt = isInForce(row, now) ? always : row.startAt;
        const createdByRuleId = createdByUserId === null ? (evidence?.ruleId ?? null) : null;
        return {
          ...{ id, projectId, personHash, sessionId, type, startAt, endAt },
          ...{ createdAt, createdByUserId, createdByRuleId, batchId },
        };
      });
    if (data.length > 0) await tx.erasedBan.createMany({ data });
  }

  /** The bans in force against each of these people; everyone asked for has an entry. */
  async inForce(
    projectId: string,
    externalUserIds: readonly string[],
    now: Date,
    reader: Reader | Transaction = this.database.read,
  ): Promise<Map<string, ActiveSanction[]>> {
    const found = new Map(externalUserIds.map((one): [string, ActiveSanction[]] => [one, []]));
    if ((await reader.erasedBan.findFirst({ where: { projectId }, select: { id: true } })) === null) return found;
    const people = new Map(externalUserIds.map((one) => [this.hash(projectId, one), one]));
    const hashes = [...people.keys()];
    const pauses = new Pauses();
    for (const part of slicesOf(hashes, idsAtOnce)) {
      await pauses.next();
      const where = { projectId, personHash: { in: [...part] } };
      const rows: ErasedBanRow[] = await reader.erasedBan.findMany({ where });
      for (const row of rows) {
        const term = { ...row, begunAt: null, expiredAt: null, revokedAt: null };
        const person = people.get(row.personHash);
        if (person !== undefined && isInForce(term, now))
          found.get(person)?.push(toActiveSanction({ ...row, reason: null, parameters: null }));
      }
    }
    return found;
  }

  /** Lifts every ban of this person that outlived their erasure. */
  lift(tx: Transaction, projectId: string, externalUserId: string): Promise<LiftedBan[]> {
    return this.liftAll(tx, { projectId, personHash: this.hash(projectId, externalUserId) });
  }

  /** Lifts the bans of this origin that have not ended. */
  liftOf(tx: Transaction, projectId: string, origin: ErasedBanOrigin, now: Date): Promise<LiftedBan[]> {
    return this.liftAll(tx, whereOf(projectId, origin, now));
  }

  /** How many bans `liftOf` would lift. */
  countOf = (projectId: string, origin: ErasedBanOrigin, now: Date): Promise<number> =>
    this.database.read.erasedBan.count({ where: whereOf(projectId, origin, now) });

  /** How many bans that have not ended each batch has. */
  async batchSizes(projectId: string, batchIds: readonly string[], now: Date): Promise<ReadonlyMap<string, number>> {
    const where = { projectId, batchId: { in: [...batchIds] }, ...notEnded(now) };
    const groups = await this.database.read.erasedBan.groupBy({ by: ['batchId'], _count: { _all: true }, where });
    return new Map(groups.map(({ batchId, _count }) => [batchId ?? '', _count._all]));
  }

  private async liftAll(
    tx: Transaction,
    where: ReturnType<typeof whereOf> | { projectId: string; personHash: string },
  ) {
    const select = { id: true, type: true, projectId: true, project: { select: { tenantId: true } } };
    const rows = await tx.erasedBan.findMany({ where, select, orderBy: { id: 'asc' } });
    for (const some of slicesOf(
      rows.map(({ id }) => id),
      idsAtOnce,
    ))
      await tx.erasedBan.deleteMany({ where: { id: { in: [...some] } } });
    return rows.map(({ project, ...row }) => ({ ...row, tenantId: project.tenantId }));
  }

  /** Stores bans that outlived an earlier erasure under the other external user id. */
  async rename(tx: Transaction, { projectId, from, to }: MovingPerson): Promise<void> {
    const where = { projectId, personHash: this.hash(projectId, from) };
    await tx.erasedBan.updateMany({ where, data: { personHash: this.hash(projectId, to) } });
  }

  private hash(projectId: string, externalUserId: string): string {
    return createHmac('sha256', this.key)
      .update(JSON.stringify([projectId, externalUserId]))
      .digest('hex');
  }
}
