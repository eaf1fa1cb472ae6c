/**
 * Removes people from rooms whose external user id has changed. The daemon that moved them asks for the same and waits for
 * it; the log brings it here too, in case that daemon is killed in between.
 */
import { textField } from '../../../platform/events/text-field.js';
import type { EventSubscription } from '../../../platform/module.js';

type Evict = (projectId: string, roomId: null, externalUserId: string, reason: 'kicked') => Promise<unknown>;

export const movedPeople = (role: { readonly isHeld: boolean }, evict: Evict): EventSubscription => ({
  name: 'moved-people',
  role: 'voice',
  types: ['participant.moved'],
  on: async (events) => {
    for (const { projectId, payload } of events) {
      const from = textField(payload.data, 'movedFrom');
      if (role.isHeld && projectId !== undefined && from !== null) await evict(projectId, null, from, 'kicked');
    }
  },
});
