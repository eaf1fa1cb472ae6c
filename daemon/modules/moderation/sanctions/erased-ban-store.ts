/**
 * Bans of erased people. Only a keyed hash of the external user id is kept, enough to recognise them when they come
 * back: erasure must not lift a ban.
 */
import { createHmac } from 'node:crypto';
import { banTypes } from '../../../../src/contract/moderation/sanction-record.js';
import { type Database, idsAtOnce, type Reader, type Transaction } from '../../../platform/database/database.js';
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

const always = new Date(0);

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
        const personHash = this.hash(projectId, externalUserId ?? '');
        const startAt = isInForce(row, now) ? always : row.startAt;
        return { id, projectId, personHash, sessionId, type, startAt, endAt };
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

  /** Lifts every ban of this person that outlived their erasure; returns the ids of the sanctions. */
  async lift(tx: Transaction, projectId: string, externalUserId: string): Promise<string[]> {
    const where = { projectId, personHash: this.hash(projectId, externalUserId) };
    const rows = await tx.erasedBan.findMany({ where, select: { id: true } });
    await tx.erasedBan.deleteMany({ where: { id: { in: rows.map(({ id }) => id) } } });
    return rows.map(({ id }) => id);
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
