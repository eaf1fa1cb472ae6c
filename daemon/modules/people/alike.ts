/**
 * Finds people who may be the same as one: hints for moderators, never acted upon. Reads only what is stored anyway, and
 * stores nothing.
 */

import { DomainError } from '../../../src/contract/errors.js';
import { Presence, timeOfPresence } from '../../../src/contract/events.js';
import { slipsBetween } from '../../../src/contract/nearest.js';
import {
  type AlikeHint,
  type AlikePerson,
  addressFields,
  alikeComparedMax,
  alikeShownMax,
  deviceFields,
} from '../../../src/contract/people/alike.js';
import type { Participant } from '../../../src/contract/people/participants.js';
import { Pauses } from '../../platform/database/slices.js';
import type { EventLog } from '../../platform/events/log.js';
import { looksKey } from '../../platform/text/look-alike.js';
import type { ParticipantDirectory } from './directory.js';
import { type ParticipantStore, toParticipant } from './store.js';

/** Visits of the person that are looked at, newest first. */
const visitsMax = 20;
const togetherMs = 10_000;
/** A busy daemon stores so much later that somebody joined. */
const storedLaterMs = 10_000;
/** Names shorter than this look alike only if they are the same. */
const slipFromLength = 5;

type Hints = Map<string, { person: Pick<Participant, 'id' | 'externalUserId' | 'displayName'>; hints: AlikeHint[] }>;

export class AlikePeople {
  constructor(
    private readonly participants: Pick<ParticipantStore, 'find' | 'newest'>,
    private readonly people: Pick<ParticipantDirectory, 'byExternalIds'>,
    private readonly log: Pick<EventLog, 'timelines' | 'pages' | 'positionBefore'>,
  ) {}

  /** Throws participant_not_found. */
  async list(projectId: string, id: string, { joins }: { readonly joins: boolean }): Promise<AlikePerson[]> {
    const row = await this.participants.find(projectId, id);
    if (row === null) throw new DomainError('participant_not_found');
    const one = toParticipant(row);
    const found: Hints = new Map();
    await this.compare(one, found);
    if (joins) await this.joinedWith(one, found);
    return [...found.values()]
      .sort((a, b) => b.hints.length - a.hints.length || (a.person.id < b.person.id ? -1 : 1))
      .slice(0, alikeShownMax)
      .map(({ person, hints }) => ({
        participantId: person.id,
        externalUserId: person.externalUserId,
        displayName: person.displayName,
        hints,
      }));
  }

  private async compare(one: Participant, found: Hints): Promise<void> {
    const key = looksKey(one.displayName);
    const [device, address] = [fieldOf(one, deviceFields), fieldOf(one, addressFields)];
    const pauses = new Pauses();
    for await (const rows of this.participants.newest(one.projectId, alikeComparedMax)) {
      for (const row of rows) {
        if (row.id === one.id) continue;
        const other = toParticipant(row);
        if (device !== null && device === fieldOf(other, deviceFields))
          hint(found, other, 'device', 'Has the same device, as the game says.');
        if (address !== null && address === fieldOf(other, addressFields))
          hint(found, other, 'address', 'Has the same network address, as the game says.');
        const otherKey = looksKey(other.displayName);
        if (key !== '' && key === otherKey)
          hint(found, other, 'look_alike_name', `The names look alike: ${one.displayName} and ${other.displayName}.`);
        else if (areNear(key, otherKey))
          hint(found, other, 'similar_name', `The names are similar: ${one.displayName} and ${other.displayName}.`);
      }
      await pauses.next();
    }
  }

  private async joinedWith(one: Participant, found: Hints): Promise<void> {
    const { projectId, externalUserId } = one;
    const joined = ['participant.joined'];
    const visits = await this.log.timelines.ofSubject(projectId, externalUserId, joined, visitsMax);
    const together = new Map<string, number>();
    for (const visit of visits) {
      const own = Presence.safeParse(visit.payload.data);
      if (!own.success) continue;
      for (const other of await this.joinedAround(
        projectId,
        own.data.roomId,
        Date.parse(timeOfPresence(own.data, visit)),
      ))
        if (other !== externalUserId) together.set(other, (together.get(other) ?? 0) + 1);
    }
    for (const person of await this.people.byExternalIds(projectId, [...together.keys()])) {
      const times = together.get(person.externalUserId) ?? 0;
      const of = `${times} of their last ${visits.length} ${visits.length === 1 ? 'visit' : 'visits'}`;
      hint(found, person, 'joined', `Joined the same room within ten seconds, in ${of}.`);
    }
  }

  private async joinedAround(projectId: string, roomId: string, at: number): Promise<Set<string>> {
    const after = await this.log.positionBefore(new Date(at - togetherMs));
    const to = await this.log.positionBefore(new Date(at + togetherMs + storedLaterMs));
    const texts = [`"roomId":${JSON.stringify(roomId)}`];
    const filter = { hears: (type: string) => type === 'participant.joined', resources: [], texts };
    const { events } = await this.log.pages.read({ parts: [{ kind: 'project', id: projectId }], filter, after, to });
    return new Set(
      events.flatMap(({ event }) => {
        const { success, data } = Presence.safeParse(event.payload.data);
        if (!success || data.roomId !== roomId) return [];
        return Math.abs(Date.parse(timeOfPresence(data, event)) - at) <= togetherMs ? [data.externalUserId] : [];
      }),
    );
  }
}

function hint(found: Hints, person: Participant, kind: AlikeHint['kind'], says: string): void {
  const known = found.get(person.id) ?? { person, hints: [] };
  known.hints.push({ kind, says });
  found.set(person.id, known);
}

/** The first of the fields that holds a text. */
function fieldOf({ userData }: Participant, names: readonly string[]): string | null {
  const fields = new Map(Object.entries(userData));
  for (const name of names) {
    const value = fields.get(name);
    if (typeof value === 'string' && value !== '') return value;
  }
  return null;
}

const areNear = (one: string, other: string): boolean => {
  const isLong = Math.min(one.length, other.length) >= slipFromLength;
  return isLong && Math.abs(one.length - other.length) <= 1 && slipsBetween(one, other) <= 1;
};
