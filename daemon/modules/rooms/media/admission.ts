/** Who may enter a room and what they may do there: sanctions, as the rooms' routes need them. */
import { DomainError } from '../../../../src/contract/errors.js';
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

interface Enforcer {
  enforce(projectId: string, externalUserIds: Iterable<string>): Promise<void>;
}

export const admissionBy = (policies: PolicyLookup, enforcer: Enforcer): Admission => ({
  admit: async ({ projectId, roomId }: RoomKey, externalUserId) => {
    const { banned, publish, audible, speakingSecondsPerMinute } = await policies.policy(
      projectId,
      roomId,
      externalUserId,
    );
    refuseBanned(banned);
    return { publish, audible, speakingSecondsPerMinute };
  },
  enforce: (projectId, externalUserId) => enforcer.enforce(projectId, [externalUserId]),
});

/** Refuses with what somebody reads who is banned while they are in the room. Throws participant_banned. */
function refuseBanned(banned: SanctionNotice | null): void {
  if (banned === null) return;
  const { message, until } = removal('banned', { resourceId: null, notice: banned });
  const details = until === null ? [] : [{ path: 'until', message: until }];
  throw new DomainError('participant_banned', { message, details });
}
