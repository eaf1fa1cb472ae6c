/** Stores the use and the revocation of room tokens, so that a restart forgets neither. */
import { createHmac } from 'node:crypto';
import type { Database, Transaction } from '../../../platform/database/database.js';
import type { Clock } from '../../../platform/time/clock.js';
import { lifetimeSeconds, type TokenUse } from './room-tokens.js';

export class RoomTokenLedger {
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

  async isErased(projectId: string, externalUserId: string, since: Date): Promise<boolean> {
    const where = { jti: this.mark(projectId, externalUserId), revokedAt: { gte: since } };
    return (await this.database.read.roomTokenUse.findFirst({ where, select: { jti: true } })) !== null;
  }

  /**
   * Deletes the record of a person's tokens, in the transaction of the erasure. A keyed hash of the person is kept as
   * long as a token may last, and refuses all of them.
   */
  erase = async (tx: Transaction, projectId: string, externalUserId: string): Promise<void> => {
    await tx.roomTokenUse.deleteMany({ where: { projectId, externalUserId } });
    const jti = this.mark(projectId, externalUserId);
    const revokedAt = this.now();
    const times = { revokedAt, expiresAt: new Date(revokedAt.getTime() + lifetimeSeconds * 1000) };
    const create = { jti, projectId, roomId: '', externalUserId: '', joinedAt: null, ...times };
    await tx.roomTokenUse.upsert({ where: { jti }, create, update: times });
  };

  /** After the erasure: nothing that came in between is left. */
  eraseAgain = (projectId: string, externalUserId: string): Promise<void> =>
    this.database.transaction((tx) => this.erase(tx, projectId, externalUserId));

  private mark(projectId: string, externalUserId: string): string {
    const person = JSON.stringify([projectId, externalUserId]);
    return `erased:${createHmac('sha256', this.key).update(person).digest('hex')}`;
  }
}
