/** Selects the rows of sanctions or reviews that moving a person changes, and their new values. */
import type { MovingPerson } from '../../platform/moving-person.js';

export function movedRows({ projectId, id, joinedId, from, to }: MovingPerson) {
  const theirs = [{ externalUserId: from }, { participantId: id }];
  const joined = joinedId === null ? [] : [{ externalUserId: to }, { participantId: joinedId }];
  return { where: { projectId, OR: [...theirs, ...joined] }, data: { externalUserId: to, participantId: id } };
}
