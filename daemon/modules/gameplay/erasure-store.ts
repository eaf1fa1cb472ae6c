/** Deletes everything that gameplay holds about a person, in the transaction of the erasure. */
import type { Transaction } from '../../platform/database/database.js';

interface Boards {
  erase(tx: Transaction, projectId: string, userId: string): Promise<void>;
}

export const erasePlayer =
  (boards: Boards) =>
  async (
    tx: Transaction,
    projectId: string,
    { externalUserId: userId }: { readonly externalUserId: string },
  ): Promise<void> => {
    await boards.erase(tx, projectId, userId);
    const where = { projectId, userId };
    await tx.gameEvent.deleteMany({ where });
    await tx.playerChallenge.deleteMany({ where });
    await tx.playerBattlePassLevel.deleteMany({ where });
    await tx.playerBattlePass.deleteMany({ where });
    await tx.topic.deleteMany({ where });
    await tx.player.deleteMany({ where });
  };
