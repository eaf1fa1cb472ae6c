/** Stores the use and the revocation of room tokens, and the end of all tokens of a person, so that a restart forgets neither. */
import { createHmac } from 'node:crypto';
import type { Database, Transaction } from '../../../platform/database/database.js';
import { Remembered } from '../../../platform/database/remembered.js';
import type { KnownPerson } from '../../../platform/module.js';
import type { Clock } from '../../../platform/time/clock.js';
import { dayMs } from '../../../platform/time/spans.js';
import type { TokenUse } from './room-tokens.js';

/** How long a generation is kept: longer than tokens last, even if the clock is set back after they were made. */
const generationMs = 30 * dayMs;

type RoomToken = Pick<TokenUse, 'jti' | 'roomId'>;

export class RoomTokenLedger {
  private readonly generations = new Remembered((person: KnownPerson) => this.findGeneration(person), {
    keyOf: ({ projectId, externalUserId }) => JSON.stringify([projectId, externalUserId]),
  });

  constructor(
    private readonly database: Database,
    private readonly key: Uint8Array,
    private readonly now: Clock,
  ) {}

  /** When the token was first used to join; null while it has not been. */
  async joinedAt(jti: string): Promise<Date | null> {
    return (await this.database.read.roomTokenUse.findUnique({ where: { jti } }))?.joinedAt ?? null;
  }

  /** Stores the first join; later joins change nothing. */
  async join(use: TokenUse): Promise<void> {
    const joinedAt = this.now();
    await this.database.transaction(async (tx) => {
      await tx.roomTokenUse.upsert({
        where: { jti: use.jti },
        create: { ...use, joinedAt, revokedAt: null },
        update: {},
      });
    });
  }

  async isRevoked(jti: string): Promise<boolean> {
    return ((await this.database.read.roomTokenUse.findUnique({ where: { jti } }))?.revokedAt ?? null) !== null;
  }

  /** Returns the tokens with which the person has joined a room (null: any), and which have not expired. */
  async joined(projectId: string, roomId: string | null, externalUserId: string): Promise<RoomToken[]> {
    const where = { projectId, externalUserId, joinedAt: { not: null }, expiresAt: { gt: this.now() } };
    const select = { jti: true, roomId: true } as const;
    return this.database.read.roomTokenUse.findMany({
      where: { ...where, ...(roomId === null ? {} : { roomId }) },
      select,
    });
  }

  async revoke(use: TokenUse): Promise<void> {
    const revokedAt = this.now();
    await this.database.transaction((tx) =>
      tx.roomTokenUse.upsert({
        where: { jti: use.jti },
        create: { ...use, joinedAt: null, revokedAt },
        update: { revokedAt },
      }),
    );
  }

  /** Returns the generation of the person's tokens; null until one has ended. Clocks are set back, so no time is compared. */
  async generation(projectId: string, externalUserId: string): Promise<number | null> {
    return (await this.generations.get({ projectId, externalUserId }))?.endedAtMs ?? null;
  }

  private async findGeneration({ projectId, externalUserId }: KnownPerson): Promise<{ endedAtMs: number | null }> {
    const where = { jti: this.mark(projectId, externalUserId) };
    const row = await this.database.read.roomTokenUse.findUnique({ where });
    return { endedAtMs: row?.revokedAt?.getTime() ?? null };
  }

  /** Ends all tokens that were made for the person until now. Of the person, a keyed hash is stored. */
  endGeneration = async (tx: Transaction, projectId: string, externalUserId: string): Promise<void> => {
    const jti = this.mark(projectId, externalUserId);
    const before = (await tx.roomTokenUse.findUnique({ where: { jti } }))?.revokedAt?.getTime() ?? 0;
    const now = this.now().getTime();
    // Unlike the one before, also within the same millisecond, or with a clock that was set back.
    const times = { revokedAt: new Date(Math.max(now, before + 1)), expiresAt: new Date(now + generationMs) };
    const create = { jti, projectId, roomId: '', externalUserId: '', joinedAt: null, ...times };
    await tx.roomTokenUse.upsert({ where: { jti }, create, update: times });
    this.generations.forgetAfter(this.database, tx);
  };

  /** Deletes the record of a person's tokens, and ends the tokens, in the transaction of the erasure. */
  erase = async (tx: Transaction, projectId: string, externalUserId: string): Promise<void> => {
    await this.deleteUses(tx, projectId, externalUserId);
    await this.endGeneration(tx, projectId, externalUserId);
  };

  /** After the erasure: nothing that came in between is left. */
  eraseAgain = (projectId: string, externalUserId: string): Promise<void> =>
    this.database.transaction((tx) => this.deleteUses(tx, projectId, externalUserId));

  private async deleteUses(tx: Transaction, projectId: string, externalUserId: string): Promise<void> {
    await tx.roomTokenUse.deleteMany({ where: { projectId, externalUserId } });
  }

  private mark(projectId: string, externalUserId: string): string {
    const person = JSON.stringify([projectId, externalUserId]);
    return `erased:${createHmac('sha256', this.key).update(person).digest('hex')}`;
  }
}
