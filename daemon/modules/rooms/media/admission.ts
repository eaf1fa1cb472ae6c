/** Who may enter a room and what they may do there: sanctions, as the rooms' routes need them. */
import { refuseBanned } from '../tokens/service.js';
import type { RoomKey, SpeakingPolicy } from './engine.js';
import type { Admission } from './joining.js';

interface PolicyLookup {
  policy(
    projectId: string,
    roomId: string,
    externalUserId: string,
  ): Promise<SpeakingPolicy & { readonly banned: { readonly until: Date | null; readonly reason: string } | null }>;
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
