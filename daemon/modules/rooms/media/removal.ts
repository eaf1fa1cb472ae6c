/** The message for a person who is removed from a room: what happened and what to do. Pure. */
import { withReason } from '../../../../src/contract/errors.js';
import type { RoomStreamEvent } from '../../../../src/contract/rooms/room-events.js';
import type { SanctionNotice } from '../../moderation/sanctions/rules.js';

type RoomRemovedEvent = Extract<RoomStreamEvent, { type: 'room.removed' }>;

/** What happened, by reason. */
export const removalSentences: Readonly<Record<RoomRemovedEvent['reason'], string>> = {
  kicked: 'A moderator removed you from the room. Ask for a new link to come back.',
  banned: 'You are banned from the rooms of this game.',
  closed: 'A moderator has closed this room.',
  expired: 'Your link has expired. Ask for a new one.',
  replaced: 'You joined this room from another window or device. Close that one, then join here again.',
  flooding: 'Your client sent far more packets than speech needs, so you were disconnected. Join again in a minute.',
  lost: 'The connection was lost. Join again.',
};

export function removal(
  reason: RoomRemovedEvent['reason'],
  { resourceId, notice }: { resourceId: string | null; notice: SanctionNotice | null },
): RoomRemovedEvent {
  const until = notice?.until?.toISOString() ?? null;
  const rejoin = reason === 'lost' || reason === 'replaced';
  const message = withReason(removalSentences[reason], notice?.reason ?? '');
  const told = { because: notice?.reason || null, until, standingUrl: notice?.standingUrl ?? null };
  return { type: 'room.removed', reason, resourceId, message, ...told, rejoin };
}
