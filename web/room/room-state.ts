/** State of the room as the page knows it: the sum of the events so far. Pure. */
import type {
  RoomAnnotation,
  RoomMessage,
  RoomPartial,
  RoomPerson,
  RoomStreamEvent,
} from '../../src/contract/rooms/room-events.js';

export interface RoomScreen {
  readonly roomId: string;
  readonly you: Extract<RoomStreamEvent, { type: 'room.state' }>['you'];
  readonly encryption: 'disabled' | 'manual' | 'automatic';
  /** People in order of arrival. */
  readonly people: readonly RoomPerson[];
  /** Speakers in the listener's lines: `slots[line]`. */
  readonly slots: readonly (string | null)[];
  /** A moderator keeps you silent. */
  readonly silenced: {
    readonly reason: string | null;
    readonly until: string | null;
    readonly standingUrl: string | null;
  } | null;
  /** A moderator limits how long others hear you. */
  readonly limited: {
    readonly secondsPerMinute: number;
    readonly reason: string | null;
    readonly until: string | null;
    readonly standingUrl: string | null;
  } | null;
  readonly reportCategories: readonly string[];
  /** People whom you block, by external user id. */
  readonly blocked: readonly string[];
  readonly warning: { readonly reason: string | null } | null;
  /** The last one that nobody has put away. */
  /** Message of the team to this person. */
  readonly notice: { readonly text: string; readonly at: string } | null;
  readonly announcement: { readonly text: string; readonly at: string } | null;
  readonly transcript: readonly RoomMessage[];
  /** What people are saying at the moment, one line for each. */
  readonly speaking: readonly RoomPartial[];
  /** Annotations of lines by plugins, as moderators see them. */
  readonly annotations: readonly RoomAnnotation[];
}

const transcriptMax = 200;
const annotationsMax = 2 * transcriptMax;

export function after(view: RoomScreen | null, event: RoomStreamEvent): RoomScreen | null {
  if (event.type === 'room.state') {
    const { roomId, you, encryption, people, slots, reportCategories } = event;
    return {
      roomId,
      you,
      encryption,
      people,
      reportCategories,
      slots: slots.reduce<RoomScreen['slots']>((lines, { slot, speaker }) => seated(lines, slot, speaker), []),
      // A person who is still silenced or limited, or blocks somebody, gets that event again right after this.
      silenced: null,
      limited: null,
      blocked: [],
      warning: view?.warning ?? null,
      announcement: view?.announcement ?? null,
      notice: view?.notice ?? null,
      transcript: view?.transcript ?? [],
      annotations: view?.annotations ?? [],
      speaking: [], // the ends of lines may have been missed
    };
  }
  if (view === null) return null;
  switch (event.type) {
    case 'room.peer':
      return { ...view, people: peopleAfter(view.people, event) };
    case 'room.slot':
      return { ...view, slots: seated(view.slots, event.slot, event.speaker) };
    case 'room.muted': {
      const { muted, reason, until, standingUrl } = event;
      return { ...view, silenced: muted ? { reason, until, standingUrl } : null };
    }
    case 'room.limited': {
      const { secondsPerMinute, reason, until, standingUrl } = event;
      return { ...view, limited: secondsPerMinute === null ? null : { secondsPerMinute, reason, until, standingUrl } };
    }
    case 'room.blocks':
      return { ...view, blocked: event.blocked };
    case 'room.warned':
      return { ...view, warning: { reason: event.reason } };
    case 'room.announced':
      return { ...view, announcement: { text: event.text, at: event.at } };
    case 'room.notified':
      return { ...view, notice: { text: event.text, at: event.at } };
    case 'message':
      return {
        ...view,
        transcript: [...view.transcript, event.message].slice(-transcriptMax),
        speaking: view.speaking.filter((line) => !isFinalOf(event.message, line)),
      };
    case 'message.partial':
      return { ...view, speaking: speakingAfter(view.speaking, event) };
    case 'message.annotation':
      return { ...view, annotations: [...view.annotations, event.annotation].slice(-annotationsMax) };
    case 'room.closed':
      return { ...view, people: [], slots: [], speaking: [] };
    case 'room.addresses':
    case 'room.removed':
      return view;
  }
}

function peopleAfter(
  people: readonly RoomPerson[],
  { change, person }: Extract<RoomStreamEvent, { type: 'room.peer' }>,
): readonly RoomPerson[] {
  const isSame = ({ externalUserId, bot }: RoomPerson) =>
    externalUserId === person.externalUserId && bot === person.bot;
  if (change === 'left') return people.filter((one) => !isSame(one));
  return people.some(isSame) ? people.map((one) => (isSame(one) ? person : one)) : [...people, person];
}

const isFinalOf = ({ externalUserId, timestamp }: RoomMessage, line: RoomPartial): boolean =>
  externalUserId === line.externalUserId && line.timestamp <= timestamp;

function speakingAfter(
  speaking: readonly RoomPartial[],
  { type: _, ...line }: Extract<RoomStreamEvent, { type: 'message.partial' }>,
): readonly RoomPartial[] {
  const others = speaking.filter(({ externalUserId }) => externalUserId !== line.externalUserId);
  return line.content === '' ? others : [...others, line].toSorted((a, b) => a.timestamp.localeCompare(b.timestamp));
}

function seated(lines: RoomScreen['slots'], slot: number, speaker: string | null): RoomScreen['slots'] {
  const next = [...lines];
  while (next.length <= slot) next.push(null);
  next[slot] = speaker;
  return next;
}
