/** Which room tokens have been used and which are revoked, so that a restart forgets neither. */

import type { Clock } from '../../../platform/clock.js';
import type { Database, Transaction } from '../../../platform/database/database.js';

export interface TokenUse {
  readonly jti: string;
  readonly projectId: string;
  readonly roomId: string;
  readonly externalUserId: string;
  readonly expiresAt: Date;
}

export class RoomTokenLedger {
  constructor(
    private readonly database: Database,
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
      await tx.roomTokenUse.deleteMany({ where: { expiresAt: { lt: joinedAt } } });
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

  /** Deletes the record of a person's tokens, in the transaction of the erasure. */
  forget = async (tx: Transaction, projectId: string, externalUserId: string): Promise<void> => {
    await tx.roomTokenUse.deleteMany({ where: { projectId, externalUserId } });
  };
}
