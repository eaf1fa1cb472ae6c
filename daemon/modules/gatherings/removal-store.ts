/** Removes the gatherings of a deleted project; what is findable of them follows by foreign key. */
import { type RemoveSome, someIds, withIds } from '../../platform/database/removal.js';

export const removeInvitations: RemoveSome = async (tx, projectId) =>
  tx.gatheringInvitation.deleteMany(
    withIds(await tx.gatheringInvitation.findMany({ where: { projectId }, ...someIds })),
  );

export const removeMembers: RemoveSome = async (tx, projectId) =>
  tx.gatheringMember.deleteMany(withIds(await tx.gatheringMember.findMany({ where: { projectId }, ...someIds })));

export const removeGatherings: RemoveSome = async (tx, projectId) =>
  tx.gathering.deleteMany(withIds(await tx.gathering.findMany({ where: { projectId }, ...someIds })));
