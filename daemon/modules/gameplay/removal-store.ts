/** Deletes the game events and players of a deleted project. */
import { type RemoveSome, someIds, withIds } from '../../platform/database/removal.js';
import { rowsAtOnce } from '../../platform/database/slices.js';

export const removeGameEvents: RemoveSome = async (tx, projectId) =>
  tx.gameEvent.deleteMany(withIds(await tx.gameEvent.findMany({ where: { projectId }, ...someIds })));

export const removePlayers: RemoveSome = async (tx, projectId) => {
  const players = await tx.player.findMany({ where: { projectId }, select: { userId: true }, take: rowsAtOnce });
  const those = { where: { projectId, userId: { in: players.map(({ userId }) => userId) } } };
  await tx.playerChallenge.deleteMany(those);
  await tx.playerBattlePassLevel.deleteMany(those);
  await tx.playerBattlePass.deleteMany(those);
  return tx.player.deleteMany(those);
};
