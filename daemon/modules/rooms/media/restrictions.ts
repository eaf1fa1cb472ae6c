/** Events of a room's stream about sanctions that keep the reader silent. Pure. */
import type { RoomStreamEvent } from '../../../../src/contract/rooms/room-events.js';
import type { SanctionNotice } from '../../moderation/sanctions/rules.js';

export interface KnownPolicy {
  readonly silenced: SanctionNotice | null;
  readonly limited: SanctionNotice | null;
  readonly speakingSecondsPerMinute: number | null;
  readonly banned: SanctionNotice | null;
  /** Why nobody but moderators may be in the room. */
  readonly closed?: SanctionNotice | null;
}

const noticeOf = (notice: SanctionNotice | null) => ({
  reason: notice?.reason || null,
  until: notice?.until?.toISOString() ?? null,
  standingUrl: notice?.standingUrl ?? null,
});

export const silenceOf = ({ silenced }: Pick<KnownPolicy, 'silenced'>): RoomStreamEvent => ({
  type: 'room.muted',
  muted: silenced !== null,
  ...noticeOf(silenced),
});

export const limitOf = ({
  limited,
  ...policy
}: Pick<KnownPolicy, 'limited' | 'speakingSecondsPerMinute'>): RoomStreamEvent => ({
  type: 'room.limited',
  secondsPerMinute: policy.speakingSecondsPerMinute,
  ...noticeOf(limited),
});

/** Is not sent: a client assumes it. */
export const unrestricted = {
  silence: silenceOf({ silenced: null }),
  limit: limitOf({ limited: null, speakingSecondsPerMinute: null }),
};
