/** Restrictions of muted and closed rooms, for people who are no moderators. */
import type { RoomRestrictions as View } from '../../../../src/contract/rooms/room-restrictions.js';
import { addTo } from '../../../platform/collections/add-to.js';
import type { Clock } from '../../../platform/time/clock.js';
import type { SanctionNotice } from '../../moderation/sanctions/rules.js';
import type { RestrictionRow, RestrictionStore } from './store.js';

/** Why nobody but moderators may speak in a room, or be there. */
export interface Restrictions {
  readonly muted: SanctionNotice | null;
  readonly closed: SanctionNotice | null;
}

export const unrestricted: Restrictions = { muted: null, closed: null };

export class RoomRestrictionReader {
  constructor(
    private readonly store: RestrictionStore,
    private readonly now: Clock,
  ) {}

  async inRoom(projectId: string, roomId: string): Promise<Restrictions> {
    return noticesOf(await this.store.inForce(projectId, roomId, this.now()));
  }

  /** By room id; rooms without any are left out. */
  async inProject(projectId: string): Promise<Map<string, Restrictions>> {
    return new Map([...(await this.byRoom(projectId))].map(([roomId, rows]) => [roomId, noticesOf(rows)]));
  }

  /** Returns all muted and closed rooms of the project, as the API shows them. */
  async views(projectId: string): Promise<Map<string, View>> {
    return new Map([...(await this.byRoom(projectId))].map(([roomId, rows]) => [roomId, viewOf(roomId, rows)]));
  }

  private async byRoom(projectId: string): Promise<Map<string, RestrictionRow[]>> {
    const rooms = new Map<string, RestrictionRow[]>();
    for (const row of await this.store.inForce(projectId, null, this.now())) addTo(rooms, row.roomId, row);
    return rooms;
  }
}

function noticesOf(rows: readonly RestrictionRow[]): Restrictions {
  const noticeOf = (kind: string, reason: string) => {
    const row = rows.find((one) => one.kind === kind);
    return row === undefined ? null : { standingUrl: null, reason, until: row.endAt };
  };
  return { muted: noticeOf('mute', 'Everybody in this room but moderators is muted.'), closed: noticeOf('close', '') };
}

export function viewOf(roomId: string, rows: readonly RestrictionRow[]): View {
  const partOf = (kind: string) => {
    const row = rows.find((one) => one.kind === kind);
    return row === undefined ? null : { since: row.since.toISOString(), until: row.endAt?.toISOString() ?? null };
  };
  return { roomId, muted: partOf('mute'), closed: partOf('close') };
}

interface Speaking {
  readonly publish: boolean;
  readonly silenced: SanctionNotice | null;
}

/** A person's own mute says more than the one of the room. */
export const restrictedBy = <P extends Speaking>(
  { muted, closed }: Restrictions,
  policy: P,
): P & { readonly closed: SanctionNotice | null } => ({
  ...policy,
  publish: policy.publish && muted === null,
  silenced: policy.silenced ?? muted,
  closed,
});
