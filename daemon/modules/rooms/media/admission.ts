/** Admits people to a room by their sanctions, as the rooms' routes need it. */
import { DomainError } from '../../../../src/contract/errors.js';
import type { PolicyReader } from '../../moderation/sanctions/policy-reader.js';
import type { RoomEnforcer } from '../../moderation/sanctions/room-enforcer.js';
import type { SanctionNotice } from '../../moderation/sanctions/rules.js';
import { type RoomRestrictionReader, unrestricted } from '../restrictions/restrictions.js';
import type { RoomAddress, SpeakingPolicy } from './engine.js';
import { removal } from './removal.js';

/** A person at the door. Moderators hold a token with that permission. */
export interface Entering {
  readonly externalUserId: string;
  readonly moderate: boolean;
}

export class Admission {
  constructor(
    private readonly policies: Pick<PolicyReader, 'policy'>,
    private readonly restrictions: Pick<RoomRestrictionReader, 'inRoom'>,
    private readonly enforcer: Pick<RoomEnforcer, 'enforce'>,
  ) {}

  /** Returns the person's policy in the room now. Throws participant_banned, room_closed. */
  async admit({ projectId, roomId }: RoomAddress, { externalUserId, moderate }: Entering): Promise<SpeakingPolicy> {
    const { banned, publish, audible, speakingSecondsPerMinute } = await this.policies.policy(
      projectId,
      roomId,
      externalUserId,
    );
    refuse('participant_banned', 'banned', banned);
    const { muted, closed } = moderate ? unrestricted : await this.restrictions.inRoom(projectId, roomId);
    refuse('room_closed', 'closed', closed);
    return { publish: publish && muted === null, audible, speakingSecondsPerMinute };
  }

  /** Applies that in every room where they are. */
  enforce(projectId: string, externalUserId: string): Promise<void> {
    return this.enforcer.enforce(projectId, [externalUserId]);
  }
}

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
