/** Deletes everything that gameplay holds about a person. */
import type { Database, Transaction } from '../../platform/database/database.js';
import { someIds, withIds } from '../../platform/database/removal.js';

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

/** Their game events, some at a time: others write in between. */
export async function eraseGameEvents(database: Database, projectId: string, userId: string): Promise<void> {
  const some = async (tx: Transaction): Promise<number> => {
    const rows = await tx.gameEvent.findMany({ where: { projectId, userId }, ...someIds });
    return (await tx.gameEvent.deleteMany(withIds(rows))).count;
  };
  while ((await database.transaction(some)) > 0);
}
