/** Sentences of the page, made from what it knows. Pure. */
import { ApiError } from '../../src/client/errors.js';
import type { RoomPerson, RoomStreamEvent } from '../../src/contract/rooms/room-events.js';
import { isolated } from '../elements.js';
import type { RoomScreen } from './room-state.js';

const because = (reason: string | null): string => (reason === null ? '' : ` Reason: ${reason}`);
const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

const clockTime = (date: Date): string => date.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });

function until(end: string | null, now: Date): string {
  if (end === null) return 'until it is lifted';
  const date = new Date(end);
  const sameDay = date.toDateString() === now.toDateString();
  const time = clockTime(date);
  return sameDay ? `until ${time}` : `until ${date.toLocaleDateString()} ${time}`;
}

export function silencedNotice({ silenced }: RoomScreen, now: Date): string | null {
  if (silenced === null) return null;
  return sentence(
    `A moderator has muted you ${until(silenced.until, now)}; nobody hears you.${because(silenced.reason)}`,
  );
}

export function warningNotice({ warning }: RoomScreen): string | null {
  if (warning === null) return null;
  return sentence(`A moderator warns you.${because(warning.reason)}`);
}

export function announcedNotice({ announcement }: RoomScreen): string | null {
  return announcement === null ? null : `${clockTime(new Date(announcement.at))} Announcement: ${announcement.text}`;
}

export function limitedNotice({ limited }: RoomScreen, now: Date): string | null {
  if (limited === null) return null;
  const { secondsPerMinute, reason } = limited;
  const limit = `others hear you for ${secondsPerMinute} seconds per minute`;
  return sentence(`A moderator limits your speech ${until(limited.until, now)}: ${limit}.${because(reason)}`);
}

/** The last words to somebody who may not be in the room. */
interface Farewell {
  readonly title: string;
  readonly message: string;
}

/** Says the same to somebody who is put out of the room as to somebody who is not let in. */
const bannedFarewell = (message: string, end: string | null, now: Date): Farewell => ({
  title: 'You are banned',
  message: `${sentence(message)} The ban lasts ${until(end, now)}.`,
});

const closedFarewell = (message: string, end: string | null, now: Date): Farewell => ({
  title: 'The room is closed',
  message: `${sentence(message)} It stays closed ${end === null ? 'until a moderator opens it' : until(end, now)}.`,
});

const farewellOf = { participant_banned: bannedFarewell, room_closed: closedFarewell };

export const removedFarewell = (
  { reason, message, until: end }: Extract<RoomStreamEvent, { type: 'room.removed' }>,
  now: Date,
): Farewell => {
  if (reason === 'banned') return bannedFarewell(message, end, now);
  return reason === 'closed' ? closedFarewell(message, end, now) : { title: 'You were removed from the room', message };
};

export const refusedFarewell = (error: Error, title: string, now: Date): Farewell => {
  const { message } = error;
  if (!(error instanceof ApiError)) return { title, message };
  if (error.code !== 'participant_banned' && error.code !== 'room_closed') return { title, message };
  return farewellOf[error.code](message, error.details.find(({ path }) => path === 'until')?.message ?? null, now);
};

const heldNotice = ({ keepsSeconds = 0 }: RoomPerson): string =>
  keepsSeconds === 0
    ? ''
    : ` The last ${keepsSeconds} seconds of what everybody says are held in memory, and stored only if somebody reports.`;

export function transcribedNotice({ people }: RoomScreen): string | null {
  const bot = people.find((person) => person.bot);
  return bot === undefined
    ? null
    : `This room is transcribed: ${isolated(bot.name)} listens and transcribes what is said.${heldNotice(bot)}`;
}

export function microphoneProblem(error: unknown): string {
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'NotAllowedError')
    return 'You are only listening: the browser blocks the microphone on this page. Allow it next to the address, then leave and join again.';
  if (name === 'NotFoundError')
    return 'You are only listening: there is no microphone. Connect one, then leave and join again.';
  return 'You are only listening: the microphone could not be opened. Close other programs that use it, then leave and join again.';
}

export const doBlockWords = (isBlocked: boolean): string => (isBlocked ? 'Unblock' : 'Block');

export const blockedOutcome = (name: string, isBlocked: boolean): string =>
  isBlocked ? `You do not hear ${name} any more, in any room.` : `You hear ${name} again.`;

const knownCategories: Readonly<Record<string, string>> = {
  minors_safety: 'Safety of children',
  threats: 'Threats',
  hate: 'Hate',
  sexual_content: 'Sexual content',
  harassment: 'Harassment',
  cheating: 'Cheating',
  name: 'Name',
  spam: 'Spam',
  other: 'Something else',
};

/** A category of the project's own list is shown by its name. */
export const categoryWords = (name: string): string =>
  (Object.hasOwn(knownCategories, name) ? knownCategories[name] : undefined) ?? name.replaceAll('_', ' ');

export const movedHere = 'The room has moved to another server, and this page with it. Join again.';

export const insecurePage = 'You can only listen: browsers allow the microphone only on https pages and on localhost.';

/** Why an encrypted room cannot be entered from this link; null when it can. */
export function encryptionProblem(
  { encryption }: RoomScreen,
  { hasKey, isPossible }: { hasKey: boolean; isPossible: boolean },
): string | null {
  if (encryption === 'disabled') return null;
  if (!hasKey)
    return 'This room is encrypted end to end, and your link does not carry its key. Ask for a link that does.';
  if (!isPossible) return 'This room is encrypted end to end, and this browser cannot do that. Use a current one.';
  return null;
}
