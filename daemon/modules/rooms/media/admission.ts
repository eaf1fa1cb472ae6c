/** Admits people to a room by their sanctions, as the rooms' routes need it. */
import { DomainError } from '../../../../src/contract/errors.js';
import { type Restrictions, unrestricted } from '../restrictions/restrictions.js';
import type { RoomKey, SpeakingPolicy } from './engine.js';
import type { Admission } from './joining.js';
import { removal, type SanctionNotice } from './removal.js';

interface PolicyLookup {
  policy(
    projectId: string,
    roomId: string,
    externalUserId: string,
  ): Promise<SpeakingPolicy & { readonly banned: SanctionNotice | null }>;
}

interface RestrictionLookup {
  of(projectId: string, roomId: string): Promise<Restrictions>;
}

interface Enforcer {
  enforce(projectId: string, externalUserIds: Iterable<string>): Promise<void>;
}

export const admissionBy = (
  policies: PolicyLookup,
  restrictions: RestrictionLookup,
  enforcer: Enforcer,
): Admission => ({
  admit: async ({ projectId, roomId }: RoomKey, { externalUserId, moderate }) => {
    const { banned, publish, audible, speakingSecondsPerMinute } = await policies.policy(
      projectId,
      roomId,
      externalUserId,
    );
    refuse('participant_banned', 'banned', banned);
    const { muted, closed } = moderate ? unrestricted : await restrictions.of(projectId, roomId);
    refuse('room_closed', 'closed', closed);
    return { publish: publish && muted === null, audible, speakingSecondsPerMinute };
  },
  enforce: (projectId, externalUserId) => enforcer.enforce(projectId, [externalUserId]),
});

/** Refuses with what somebody reads whom the same puts out of the room. Throws that. */
function refuse(
  code: 'participant_banned' | 'room_closed',
  reason: 'banned' | 'closed',
  notice: SanctionNotice | null,
): void {
  if (notice === null) return;
  const { message, until } = removal(reason, { resourceId: null, notice });
  const details = until === null ? [] : [{ path: 'until', message: until }];
  throw new DomainError(code, { message, details });
}
