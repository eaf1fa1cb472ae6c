/** Joins the rows of two players who become one. */
import type { Database } from '../../platform/database/database.js';
import type { PersonMoveSteps } from '../../platform/module.js';

export const playerMove = ({ dialect }: Pick<Database, 'dialect'>): PersonMoveSteps => ({
  /** Locks both players: what a player does in challenges waits. */
  async obstacles(tx, { projectId, from, to }) {
    const lock = `SELECT 1 FROM "Player" WHERE "projectId" = $1 AND "userId" IN ($2, $3) ORDER BY "userId" FOR UPDATE`;
    if (dialect === 'postgresql') await tx.$queryRawUnsafe(lock, projectId, from, to);
    return [];
  },

  /** Deletes one of two rows where only one may stay; those of the former id then get the new one. */
  async merge(tx, { projectId, from, to }) {
    const where = { projectId, userId: from };
    for (const { subject } of await tx.topic.findMany({ where: { projectId, userId: to }, select: { subject: true } }))
      await tx.topic.deleteMany({ where: { ...where, subject } });
    const own = await tx.player.findFirst({ where });
    const other = await tx.player.findFirst({ where: { projectId, userId: to } });
    if (own === null || other === null) return;
    // Name and avatar of the new account are the newer ones.
    const [username, avatarImage] = [other.username ?? own.username, other.avatarImage ?? own.avatarImage];
    const createdAt = own.createdAt < other.createdAt ? own.createdAt : other.createdAt;
    await tx.player.updateMany({ where: { projectId, userId: to }, data: { username, avatarImage, createdAt } });
    await tx.player.deleteMany({ where });
  },
});
