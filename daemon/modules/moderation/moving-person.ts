/** Which rows of sanctions or reviews the move of a person changes, and how. */
import type { MovingPerson } from '../../platform/moving-person.js';

export function movedRows({ projectId, id, joinedId, from, to }: MovingPerson) {
  const theirs = [{ externalUserId: from }, { participantId: id }];
  const joined = joinedId === null ? [] : [{ externalUserId: to }, { participantId: joinedId }];
  return { where: { projectId, OR: [...theirs, ...joined] }, data: { externalUserId: to, participantId: id } };
}
