/** Admits people to a room by their sanctions, as the rooms' routes need it. */
import { DomainError, refusalWhile } from '../../../../src/contract/errors.js';
import type { PolicyReader } from '../../moderation/sanctions/policy-reader.js';
import type { RoomEnforcer } from '../../moderation/sanctions/room-enforcer.js';
import type { SanctionNotice } from '../../moderation/sanctions/rules.js';
import { type RoomRestrictionReader, unrestricted } from '../restrictions/restrictions.js';
import type { RoomAddress, SpeakingPolicy } from './engine.js';
import { removalSentences } from './removal.js';

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
    // They read what somebody reads whom the same puts out of the room.
    if (banned !== null) throw bannedAtDoor(banned);
    const { muted, closed } = moderate ? unrestricted : await this.restrictions.inRoom(projectId, roomId);
    if (closed !== null) throw refusalWhile('room_closed', closed, removalSentences.closed);
    return { publish: publish && muted === null, audible, speakingSecondsPerMinute };
  }

  /** Applies that in every room where they are. */
  enforce(projectId: string, externalUserId: string): Promise<void> {
    return this.enforcer.enforce(projectId, [externalUserId]);
  }
}

/** With the words of the moderator and the page of the person: they hold the token. */
function bannedAtDoor(banned: SanctionNotice): DomainError {
  const { message, details } = refusalWhile('participant_banned', banned, removalSentences.banned);
  const more = [
    { path: 'because', message: banned.reason },
    { path: 'standingUrl', message: banned.standingUrl ?? '' },
  ].filter((one) => one.message !== '');
  return new DomainError('participant_banned', { message, details: [...(details ?? []), ...more] });
}
