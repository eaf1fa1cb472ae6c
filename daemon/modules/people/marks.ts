/** What is shown beside the names of people, put together from what the modules know; each part needs its own scope. */
import { banTypes, silencingTypes } from '../../../src/contract/moderation/sanction-kinds.js';
import type { SanctionType } from '../../../src/contract/moderation/sanction-record.js';
import { type ListedState, newDays, type PersonMarks } from '../../../src/contract/people/participants.js';
import type { Room } from '../../../src/contract/rooms/rooms.js';
import type { RequiredScope } from '../../../src/contract/scopes.js';
import { addTo } from '../../platform/collections/add-to.js';
import { hasScope, mayActAs } from '../../platform/http/authorisation.js';
import type { Member, ProjectGrant } from '../../platform/http/caller.js';
import type { Clock } from '../../platform/time/clock.js';
import { dayMs } from '../../platform/time/spans.js';
import type { ParticipantFilter } from './store.js';

interface HeldSanction {
  readonly id: string;
  readonly externalUserId: string | null;
  readonly type: string;
  readonly endAt: Date | null;
}

/** Reads of other modules about many people. */
export interface MarkSources {
  readonly sanctions: {
    inForce(projectId: string, externalUserIds: readonly string[], now: Date): Promise<readonly HeldSanction[]>;
    /** Returns the external user ids of people under these kinds of sanctions, up to `take`. */
    peopleUnder(projectId: string, types: readonly string[], now: Date, take: number): Promise<string[]>;
  };
  readonly rooms: { list(projectId: string, wanted: Record<never, never>): Promise<Room[]> };
  readonly reports: {
    countAbout(projectId: string, externalUserIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
    mostReported(
      projectId: string,
      made: Record<never, never>,
      take: number,
    ): Promise<readonly { readonly externalUserId: string }[]>;
  };
  /** Returns when each of them last entered or left a room. */
  readonly lastSeen: (projectId: string, externalUserIds: readonly string[]) => Promise<ReadonlyMap<string, string>>;
}

/** People of a state that are looked through. */
const amongMax = 10_000;

export class PersonMarksReader {
  constructor(
    private readonly sources: MarkSources,
    private readonly now: Clock,
  ) {}

  /** Returns the marks of each of these people, by external user id. */
  async of(project: ProjectGrant, caller: Member, ids: readonly string[]): Promise<(id: string) => PersonMarks> {
    const { projectId } = project;
    const { sources } = this;
    const part = <T>(scope: RequiredScope, read: () => Promise<T>): Promise<T | null> =>
      hasScope(caller, scope) ? read() : Promise.resolve(null);
    const [sanctions, rooms, reports, lastSeen] = await Promise.all([
      part('sanctions:read', () => sources.sanctions.inForce(projectId, ids, this.now())),
      part('sessions:read', () => sources.rooms.list(projectId, {})),
      maySeeReports(project, caller) ? sources.reports.countAbout(projectId, ids) : null,
      part('sessions:read', () => sources.lastSeen(projectId, ids)),
    ]);
    const sanctionsOf = sanctions === null ? null : sanctionsByPerson(sanctions);
    const roomsOf = rooms === null ? null : roomsByPerson(rooms);
    const now = this.now().toISOString();
    return (id) => {
      const here = roomsOf?.get(id) ?? [];
      return {
        sanctions: sanctionsOf && (sanctionsOf.get(id) ?? []),
        rooms: roomsOf && here,
        reports: reports && (reports.get(id) ?? 0),
        lastSeenAt: here.length > 0 ? now : (lastSeen?.get(id) ?? null),
      };
    };
  }

  /** Returns the filter for people of a state. Whoever may not see reports finds nobody who was reported. */
  async filterOf(project: ProjectGrant, caller: Member, state: ListedState): Promise<ParticipantFilter> {
    const { projectId } = project;
    const { sanctions, rooms, reports } = this.sources;
    const under = async (types: readonly string[]) =>
      hasScope(caller, 'sanctions:read') ? sanctions.peopleUnder(projectId, types, this.now(), amongMax) : [];
    if (state === 'new') return { since: new Date(this.now().getTime() - newDays * dayMs).toISOString() };
    if (state === 'muted') return { among: await under(silencingTypes) };
    if (state === 'banned') return { among: await under(banTypes) };
    if (state === 'sanctioned') return { among: await under([]) };
    if (state === 'here')
      return {
        among: hasScope(caller, 'sessions:read') ? [...roomsByPerson(await rooms.list(projectId, {})).keys()] : [],
      };
    if (!maySeeReports(project, caller)) return { among: [] };
    return { among: (await reports.mostReported(projectId, {}, amongMax)).map((one) => one.externalUserId) };
  }
}

const maySeeReports = (project: ProjectGrant, caller: Member): boolean =>
  mayActAs('moderator', caller, project, 'reports');

type MarkedPart<Part extends 'sanctions' | 'rooms'> = ReadonlyMap<string, NonNullable<PersonMarks[Part]>>;

function sanctionsByPerson(sanctions: readonly HeldSanction[]): MarkedPart<'sanctions'> {
  const byPerson = new Map<string, NonNullable<PersonMarks['sanctions']>>();
  for (const { id, externalUserId, type, endAt } of sanctions)
    addTo(byPerson, externalUserId ?? '', {
      ...{ id, type: type as SanctionType },
      endAt: endAt?.toISOString() ?? null,
    });
  return byPerson;
}

function roomsByPerson(rooms: readonly Room[]): MarkedPart<'rooms'> {
  const byPerson = new Map<string, NonNullable<PersonMarks['rooms']>>();
  for (const { roomId, peers } of rooms)
    for (const { externalUserId, speaking, bot, observer } of peers)
      if (!bot && !observer) addTo(byPerson, externalUserId, { roomId, speaking });
  return byPerson;
}
