/**
 * Who was in a room, and when: from the events of joining and leaving in the log, and from who is there now. A person who
 * joined before the period and is still there has no event in it.
 */
import { storableTime } from '../../../src/contract/common.js';
import { type DomainEvent, Presence, timeOfPresence } from '../../../src/contract/events.js';
import { isPerson } from '../../../src/contract/rooms/room-events.js';
import { type RoomVisit, type RoomVisitQuery, roomVisitRoutes } from '../../../src/contract/rooms/room-visits.js';
import type { EventLog } from '../../platform/events/log.js';
import { bind } from '../../platform/http/bind.js';
import type { ProjectGrant } from '../../platform/http/caller.js';
import type { Clock } from '../../platform/time/clock.js';
import type { ParticipantDirectory } from '../people/directory.js';
import type { RoomsAnywhere } from './elsewhere/rooms-anywhere.js';

interface RoomVisitNeeds {
  readonly log: Pick<EventLog, 'pages' | 'turns' | 'head' | 'positionBefore'>;
  readonly rooms: Pick<RoomsAnywhere, 'find'>;
  readonly people: Pick<ParticipantDirectory, 'byExternalIds'>;
  readonly now: Clock;
}

type Stay = { -readonly [Field in Exclude<keyof RoomVisit, 'here'>]: RoomVisit[Field] };

const presences: ReadonlySet<string> = new Set(['participant.joined', 'participant.left']);

export class RoomVisits {
  constructor(private readonly needs: RoomVisitNeeds) {}

  async list(
    { tenantId, projectId }: Pick<ProjectGrant, 'tenantId' | 'projectId'>,
    roomId: string,
    { since, until }: RoomVisitQuery,
  ): Promise<RoomVisit[]> {
    const before = until === undefined ? this.needs.now() : new Date(until);
    const stays = new Stays();
    const parts = [{ kind: 'project', id: projectId } as const];
    const texts = [`"roomId":${JSON.stringify(roomId)}`];
    const filter = { hears: (type: string) => presences.has(type), resources: [], texts };
    const { log } = this.needs;
    const to = await log.head();
    for (let after = await log.positionBefore(storableTime(Date.parse(since) - 1)); after < to; ) {
      const page = await log.turns.run(tenantId, () => log.pages.read({ parts, filter, after, to }));
      for (const { event } of page.events) stays.add(roomId, event);
      after = page.end;
    }
    const here = await this.peopleNow(projectId, roomId);
    for (const person of await this.needs.people.byExternalIds(projectId, [...here])) stays.remain(person);
    return stays
      .all()
      .filter(({ joinedAt }) => joinedAt === null || Date.parse(joinedAt) <= before.getTime())
      .map((stay) => ({ ...stay, here: stay.leftAt === null && here.has(stay.externalUserId) }));
  }

  private async peopleNow(projectId: string, roomId: string): Promise<Set<string>> {
    const room = await this.needs.rooms.find(projectId, roomId);
    return new Set((room?.peers ?? []).filter(isPerson).map(({ externalUserId }) => externalUserId));
  }
}

/** Pairs joining with leaving. */
class Stays {
  private readonly ended: Stay[] = [];
  private readonly open = new Map<string, Stay>();

  /** To be called in the order of the log. */
  add(roomId: string, event: DomainEvent): void {
    const { type, payload } = event;
    const { success, data } = Presence.safeParse(payload.data);
    if (!success || data.roomId !== roomId) return; // erased in the meantime, or a name in another field
    const { id: participantId, externalUserId, displayName, reason } = data;
    const at = timeOfPresence(data, event);
    const begun = this.open.get(externalUserId);
    const stay = begun ?? { participantId, externalUserId, displayName, joinedAt: null, leftAt: null, reason: null };
    if (type === 'participant.joined') {
      if (begun === undefined) this.open.set(externalUserId, { ...stay, joinedAt: at });
      return;
    }
    this.open.delete(externalUserId);
    this.ended.push({ ...stay, leftAt: at, reason });
  }

  /** Adds somebody who is there now, unless it is known when they joined. */
  remain({ id, externalUserId, displayName }: { id: string; externalUserId: string; displayName: string }): void {
    if (this.open.has(externalUserId)) return;
    const unknown = { joinedAt: null, leftAt: null, reason: null };
    this.open.set(externalUserId, { participantId: id, externalUserId, displayName, ...unknown });
  }

  /** Those who joined before the period come first. */
  all(): Stay[] {
    const orderOf = ({ joinedAt }: Stay) => joinedAt ?? '';
    return [...this.ended, ...this.open.values()].sort((a, b) =>
      orderOf(a) < orderOf(b) ? -1 : orderOf(a) > orderOf(b) ? 1 : 0,
    );
  }
}

export const visitRouter = (visits: RoomVisits) =>
  bind(roomVisitRoutes, {
    list: ({ project, params, query }) => visits.list(project, params.roomId, query),
  });
