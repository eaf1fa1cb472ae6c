/** Applies what another daemon, or the end of its time, changed about a muted or closed room. */
import { textField } from '../../../platform/events/text-field.js';
import type { EventSubscription } from '../../../platform/module.js';
import type { RestrictionEnforcement } from './enforcement.js';

export const followRestrictions = (
  elsewhere: { readonly areHere: boolean },
  enforcement: Pick<RestrictionEnforcement, 'enforceHere'>,
): EventSubscription => ({
  name: 'room-restrictions',
  role: 'voice',
  types: ['room.restricted'],
  on: async (events) => {
    if (!elsewhere.areHere) return;
    await Promise.all(
      events.map(async ({ projectId, payload }) => {
        const roomId = textField(payload.data, 'roomId');
        if (projectId !== undefined && roomId !== null) await enforcement.enforceHere(projectId, roomId);
      }),
    );
  },
});
