/**
 * Removes people from rooms whose external user id has changed. The daemon that moved them asks for the same and waits for
 * it; the log brings it here too, in case that daemon is killed in between.
 */
import { textField } from '../../../platform/events/text-field.js';
import type { EventSubscription } from '../../../platform/module.js';
import type { RoomsAnywhere } from './rooms-anywhere.js';

export const movedPeople = (
  elsewhere: { readonly areHere: boolean },
  rooms: Pick<RoomsAnywhere, 'evict'>,
): EventSubscription => ({
  name: 'moved-people',
  role: 'voice',
  types: ['participant.moved'],
  on: async (events) => {
    for (const { projectId, payload } of events) {
      const from = textField(payload.data, 'movedFrom');
      if (elsewhere.areHere && projectId !== undefined && from !== null) await rooms.evict(projectId, null, from);
    }
  },
});
