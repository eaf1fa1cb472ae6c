/** A room on one screen: who is there and speaks, what is said and done, and the keys. */
import { type DomainEvent, timeOfPresence } from '../../../contract/events.js';
import { isPerson } from '../../../contract/rooms/room-events.js';
import type { Room } from '../../../contract/rooms/rooms.js';
import type { PartialMessage } from '../../../contract/sessions/partial-messages.js';
import type { Session } from '../../../contract/sessions/sessions.js';
import { cut, fitted, wrapped } from '../../../terminal/columns.js';
import { clockTime } from '../../../terminal/shown-times.js';
import { type Style, styled } from '../../../terminal/terminal.js';
import { harmless } from '../../../text/printable.js';
import { gistOf, wholeEvent } from '../../events/event-gist.js';
import { speakerOf } from '../../events/event-line.js';
import type { Names } from '../../names/known-names.js';
import { footLines, type OpenQuestion } from '../../terminal/live/foot.js';
import type { Size } from '../../terminal/live/screen.js';

/** A line of the transcript, or of what else happens in the room. */
export interface RoomLine {
  readonly time: string;
  readonly name: string;
  readonly text: string;
  readonly style: Style | null;
}

export interface RoomPicture {
  readonly roomId: string;
  /** null: not known yet. */
  readonly room: Room | null;
  readonly session: Session | null;
  readonly lines: readonly RoomLine[];
  /** External user id of who is chosen. */
  readonly chosen: string | null;
  /** The open question, if there is one. */
  readonly prompt: OpenQuestion;
  /** Last action, or that the daemon is away. */
  readonly foot: string;
}

const nameWidth = 20;
const lineNameWidth = 14;
const gap = '  ';
/** Lines of the screen that one message may take. */
const wrappedMax = 6;
/** Header, two empty lines, foot and keys. */
const aroundLines = 5;
const peopleMin = 3;
const keysLine = '↑↓ choose  m mute  k kick  b ban  n note  u undo  q quit';

type WatchedPeer = Room['peers'][number];

/** People in the order of the screen: those who can be chosen. */
export const peopleOf = (room: Room | null): readonly WatchedPeer[] =>
  (room?.peers ?? [])
    .filter(isPerson)
    .toSorted((a, b) => a.displayName.localeCompare(b.displayName) || a.externalUserId.localeCompare(b.externalUserId));

export function roomView(picture: RoomPicture, { columns, rows }: Size): string {
  const people = peopleOf(picture.room);
  const free = Math.max(peopleMin + 1, rows - aroundLines);
  const shown = peopleShown(people, picture.chosen, Math.max(peopleMin, Math.floor(free / 2)));
  const transcript = transcriptLines(picture.lines, free - shown.length, columns);
  const blank = Array.from({ length: free - shown.length - transcript.length }, () => '');
  return [
    header(picture, people.length),
    '',
    ...shown,
    '',
    ...transcript,
    ...blank,
    ...footLines(picture.prompt, { foot: picture.foot, keys: keysLine }, columns),
  ].join('\n');
}

function header({ roomId, session, room }: RoomPicture, count: number): string {
  const observers = room?.peers.filter(({ observer }) => observer).length ?? 0;
  const people = `${count === 1 ? '1 person' : `${count} people`}${observers === 0 ? '' : ', the team listens'}`;
  const bot = session === null || session.status === 'ended' ? 'no session' : `bot ${session.bot.state}`;
  const cause = session?.status === 'active' && session.bot.cause !== null ? ` (${session.bot.cause})` : '';
  const title = session === null ? '' : `  ${cut(harmless(session.title), 30)}`;
  return `${styled('bold', harmless(roomId))}${title}  ${bot}${cause}  ${room === null ? '…' : people}`;
}

function peopleShown(people: readonly WatchedPeer[], chosen: string | null, max: number): string[] {
  if (people.length === 0) return [styled('dim', '  Nobody is here.')];
  const index = people.findIndex(({ externalUserId }) => externalUserId === chosen);
  const first = Math.max(0, Math.min(index - Math.floor(max / 2), people.length - max));
  return people.slice(first, first + max).map((peer) => {
    const isChosen = peer.externalUserId === chosen;
    const name = `${isChosen ? '>' : ' '} ${fitted(harmless(peer.displayName), nameWidth)}`;
    return `${isChosen ? styled('bold', name) : name}  ${doing(peer)}`;
  });
}

function doing({ muted, speaking, publishing }: WatchedPeer): string {
  const does: readonly [Style, string] = speaking
    ? ['green', '● speaks']
    : publishing
      ? ['white', 'quiet']
      : ['dim', 'listens'];
  return `${styled(...does)}${muted ? `  ${styled('red', 'muted')}` : ''}`;
}

/** The newest that fit, long ones in several lines. */
function transcriptLines(lines: readonly RoomLine[], max: number, columns: number): string[] {
  const shown: string[] = [];
  for (const line of lines.toReversed()) {
    if (shown.length >= max) break;
    shown.unshift(...drawn(line, columns));
  }
  return shown.slice(-max);
}

function drawn({ time, name, text, style }: RoomLine, columns: number): string[] {
  const indent = time.length + lineNameWidth + 2 * gap.length;
  return wrapped(text, Math.max(lineNameWidth, columns - indent), wrappedMax).map((part, index) => {
    const painted = style === null ? part : styled(style, part);
    if (index > 0) return `${' '.repeat(indent)}${painted}`;
    return [styled('dim', time), styled('bold', fitted(name, lineNameWidth)), painted].join(gap);
  });
}

/** null: not worth a line. */
export function roomLine(event: DomainEvent, names: Names): RoomLine | null {
  const { who, why } = gistOf(event, names);
  const [style, text] = said(event, harmless(why));
  if (text === '') return null;
  const name = event.type.startsWith('bot.') || event.type.startsWith('session.') ? '' : harmless(who);
  return { time: clockTime(new Date(happenedAt(event))), name, text, style };
}

/** A line was said before it was written, and people came and left before that was: they keep the time that they had. */
function happenedAt(event: DomainEvent): string {
  const whole = wholeEvent(event);
  if (whole?.type === 'message.created') return whole.payload.data.timestamp;
  const isPresence = whole?.type === 'participant.joined' || whole?.type === 'participant.left';
  return isPresence ? timeOfPresence(whole.payload.data, event) : event.timestamp;
}

/** What somebody is saying at the moment. */
export const spokenLine = (partial: PartialMessage, names: Names): RoomLine => ({
  time: clockTime(new Date(partial.timestamp)),
  name: harmless(speakerOf(partial, names)),
  text: `${harmless(partial.content)} …`,
  style: 'dim',
});

function said(event: DomainEvent, why: string): readonly [Style | null, string] {
  const whole = wholeEvent(event);
  switch (whole?.type) {
    case 'message.created':
      // The room's own notices repeat what other events say.
      return [null, whole.payload.data.type === 'system' ? '' : why];
    case 'participant.joined':
      return ['blue', 'comes in'];
    case 'participant.left':
      return ['blue', leaving(whole.payload.data.reason)];
    case 'participant.created':
    case 'participant.updated':
    case 'session.updated':
      return [null, ''];
    case 'message.annotation.created':
      return ['dim', why];
    case 'bot.status.changed':
      return ['dim', `the bot is ${why}`];
    case 'session.created':
      return ['green', `session ${why}`];
    default:
      return [/^(sanction|review|rule)\./.test(event.type) ? 'red' : 'dim', why];
  }
}

const leaving = (reason: string | null): string =>
  reason === null || reason === 'left' ? 'leaves' : `leaves (${reason})`;
