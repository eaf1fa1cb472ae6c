/** Takes everything that gameplay holds of a person, in the transaction that erases them elsewhere. */
import type { Transaction } from '../../platform/database/database.js';

export const erasePlayer = async (
  tx: Transaction,
  projectId: string,
  { externalUserId: userId }: { readonly externalUserId: string },
): Promise<void> => {
  const where = { projectId, userId };
  await tx.gameEvent.deleteMany({ where });
  await tx.playerChallenge.deleteMany({ where });
  await tx.topic.deleteMany({ where });
  await tx.player.deleteMany({ where });
};
