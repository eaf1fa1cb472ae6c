/**
 * Listens to a room and prints what is said and what happens. Loaded only by its commands, because it loads native
 * code.
 */
import { annotationLabel } from '../../../client/annotation-label.js';
import type { RoomAccess } from '../../../client/room/room-access.js';
import { RoomListener } from '../../../client/voice/listener.js';
import { endMedia } from '../../../client/voice/media-peer.js';
import { SpeechTurns, type Turn } from '../../../client/voice/speech-turns.js';
import { isPerson, type RoomStreamEvent } from '../../../contract/rooms/room-events.js';
import { untilEnd } from '../../../terminal/interruption.js';

const checkMs = 250;

export type Happening =
  | Exclude<RoomStreamEvent, { type: 'room.slot' }>
  | { readonly type: 'speech.started'; readonly speaker: string }
  | ({ readonly type: 'speech.ended' } & Turn);

export interface ListenOptions {
  readonly access: RoomAccess;
  /** Ends the listening, and the joining before it. */
  readonly signal: AbortSignal;
  /** Counted from when we are in the room; null: until the signal. */
  readonly seconds: number | null;
  readonly onHappening: (happening: Happening) => void;
  readonly printLine: (line: string) => void;
  /** Every decoded frame, at 48 kHz, with its place in the speaker's stream. What it throws ends the listening. */
  readonly onSound?: (sound: Sound) => void;
}

export interface Sound {
  readonly speaker: string;
  readonly pcm: Int16Array;
  readonly stream: string;
  readonly timestamp: number;
  readonly atMs: number;
}

/** Throws ApiError, DaemonUnreachable, MediaUnreachable, RemovedFromRoom, and what `onSound` throws. */
export async function listen({
  access,
  signal,
  seconds,
  onHappening,
  printLine,
  onSound,
}: ListenOptions): Promise<void> {
  let fail: (error: unknown) => void = () => {};
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  const turns = new SpeechTurns({
    onBegin: (speaker) => onHappening({ type: 'speech.started', speaker }),
    onEnd: (turn) => onHappening({ type: 'speech.ended', ...turn }),
  });
  const listener = new RoomListener(access, {
    report: printLine,
    onEvent: (event) => {
      if (event.type !== 'room.slot') onHappening(event);
    },
    onFrame: (frame) => {
      const pcm = turns.decode(frame);
      try {
        if (pcm !== null) onSound?.({ ...frame, pcm });
      } catch (error) {
        fail(error); // thrown here, nobody could catch it: native code calls us
      }
    },
  });
  const checking = setInterval(() => turns.check(Date.now()), checkMs);
  try {
    const listening = listener.join().then(() => Promise.race([untilEnd(signal, seconds), listener.ended]));
    await Promise.race([listening, failed, untilEnd(signal, null)]);
  } finally {
    clearInterval(checking);
    turns.close();
    await listener.leave();
    endMedia();
  }
}

/** Makes one line for people of each happening in turn, null of what is not shown. Speech comes with the external id alone. */
export function happeningLines(): (happening: Happening) => string | null {
  const names = new Map<string, string>();
  return (happening) => {
    for (const { externalUserId, name } of peopleIn(happening)) names.set(externalUserId, name);
    return lineOf(happening, (id) => names.get(id) ?? id);
  };
}

function peopleIn(happening: Happening) {
  if (happening.type === 'room.state') return happening.people;
  return happening.type === 'room.peer' ? [happening.person] : [];
}

function lineOf(happening: Happening, nameOf: (externalUserId: string) => string): string | null {
  switch (happening.type) {
    case 'room.state':
      return inRoom(happening);
    case 'room.peer':
      return happening.change === 'changed' ? null : cameOrWent(happening);
    case 'room.muted':
      return happening.muted ? `you are muted${because(happening.reason)}` : 'you are no longer muted';
    case 'room.limited':
      return happening.secondsPerMinute === null
        ? 'you can speak without a limit again'
        : `others hear you for ${happening.secondsPerMinute} s per minute${because(happening.reason)}`;
    case 'room.blocks':
      return happening.blocked.length === 0 ? 'you block nobody' : `you block ${happening.blocked.join(', ')}`;
    case 'room.warned':
      return `a moderator warns you${because(happening.reason)}`;
    case 'room.announced':
      return `announcement: ${happening.text}`;
    case 'room.notified':
      return `message to you: ${happening.text}`;
    case 'message':
      return happening.message.kind === 'system'
        ? null
        : `${happening.message.senderName}: ${happening.message.content}`;
    case 'message.annotation':
      return `(${happening.annotation.pluginSlug}: ${annotationLabel(happening.annotation)})`;
    case 'speech.started':
      return `${nameOf(happening.speaker)} speaks`;
    case 'speech.ended':
      return `${nameOf(happening.speaker)} spoke for ${happening.seconds} s (${happening.packets} packets, ${happening.lost} lost)`;
    default:
      return null; // the command itself prints the end
  }
}

function cameOrWent({ change, person }: Extract<RoomStreamEvent, { type: 'room.peer' }>): string {
  const { name, observer } = person;
  if (observer) return change === 'joined' ? `${name} listens, as an observer` : `${name} has stopped listening`;
  return `${name} ${change}`;
}

function inRoom({ people }: Extract<RoomStreamEvent, { type: 'room.state' }>): string {
  const names = people.filter(isPerson).map(({ name }) => name);
  const notice = people.some(({ bot }) => bot) ? '; what is said here is transcribed' : '';
  return `in the room: ${names.length === 0 ? 'nobody yet' : names.join(', ')}${notice}`;
}

const because = (reason: string | null): string => (reason === null ? '' : ` (${reason})`);
