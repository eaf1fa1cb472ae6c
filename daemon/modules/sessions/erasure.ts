/** Deletes what a person said, with its sound, in the transaction of the erasure. */
import type { Transaction } from '../../platform/database/database.js';

export const eraseWords =
  (recordings: { remove(name: string): Promise<void> }) =>
  async (
    tx: Transaction,
    projectId: string,
    { externalUserId }: { readonly externalUserId: string },
  ): Promise<void> => {
    const where = { projectId, externalUserId };
    const heard = await tx.message.findMany({
      where: { ...where, audioFile: { not: null } },
      select: { audioFile: true },
    });
    await tx.message.deleteMany({ where });
    // Before the commit: sound that is deleted too early is no breach, sound that stays would be.
    for (const { audioFile } of heard) if (audioFile !== null) await recordings.remove(audioFile);
  };
