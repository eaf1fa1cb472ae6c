/** Joins the rows of two players who become one. */
import type { PersonMoveSteps } from '../../platform/module.js';

export const playerMove: PersonMoveSteps = {
  /** Deletes one of two rows where only one may stay; those of the former id then get the new one. */
  async merge(tx, { projectId, from, to }) {
    const where = { projectId, userId: from };
    for (const { subject } of await tx.topic.findMany({ where: { projectId, userId: to }, select: { subject: true } }))
      await tx.topic.deleteMany({ where: { ...where, subject } });
    // Name and avatar of the new account are the newer ones.
    const hasOwn = (await tx.player.findFirst({ where: { projectId, userId: to } })) !== null;
    if (hasOwn) await tx.player.deleteMany({ where });
  },
};
