/** Notices of the page, made from what it knows. Pure but for the language. */
import { ApiError } from '../../src/client/errors.js';
import type { RoomPerson, RoomStreamEvent } from '../../src/contract/rooms/room-events.js';
import { isolated } from '../elements.js';
import { words } from '../words/words.js';
import type { RoomScreen } from './room-state.js';

const because = (reason: string | null): string => (reason === null ? '' : words.because(reason));
const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

const clockTime = (date: Date): string => date.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });

function until(end: string | null, now: Date): string {
  if (end === null) return words.untilLifted;
  const date = new Date(end);
  const sameDay = date.toDateString() === now.toDateString();
  return words.until(`${sameDay ? '' : `${date.toLocaleDateString()} `}${clockTime(date)}`);
}

export function silencedNotice({ silenced }: RoomScreen, now: Date): string | null {
  if (silenced === null) return null;
  // Somebody's own mute has a page for them.
  if (silenced.standingUrl === null) return sentence(words.roomMuted(until(silenced.until, now)));
  return sentence(words.silenced(until(silenced.until, now), because(silenced.reason)));
}

export function warningNotice({ warning }: RoomScreen): string | null {
  return warning === null ? null : sentence(words.warned(because(warning.reason)));
}

export function announcedNotice({ announcement }: RoomScreen): string | null {
  return announcement === null ? null : words.announced(clockTime(new Date(announcement.at)), announcement.text);
}

export function notifiedNotice({ notice }: RoomScreen): string | null {
  return notice === null ? null : words.notified(clockTime(new Date(notice.at)), notice.text);
}

export function limitedNotice({ limited }: RoomScreen, now: Date): string | null {
  if (limited === null) return null;
  return sentence(words.limited(limited.secondsPerMinute, until(limited.until, now), because(limited.reason)));
}

/** The last words to somebody who may not be in the room. */
export interface Farewell {
  readonly title: string;
  readonly message: string;
  /** Page that tells the person why, and takes an appeal. */
  readonly standingUrl?: string | null;
}

/** What the daemon says of a ban, or of a closed room. */
interface Exclusion {
  readonly because: string | null;
  readonly until: string | null;
  readonly standingUrl: string | null;
}

/** Says the same to somebody who is put out of the room as to somebody who is not let in. */
const bannedFarewell = ({ because: reason, until: end, standingUrl }: Exclusion, now: Date): Farewell => ({
  title: words.banned.title,
  message: sentence(`${words.banned.lasts(until(end, now))}${because(reason)}`),
  standingUrl,
});

const closedFarewell = ({ until: end }: Exclusion, now: Date): Farewell => ({
  title: words.closed.title,
  message: `${words.closedNow.message} ${words.closed.lasts(end === null ? words.closed.untilOpened : until(end, now))}`,
});

const farewellOf = { participant_banned: bannedFarewell, room_closed: closedFarewell };

type Removed = Extract<RoomStreamEvent, { type: 'room.removed' }>;

export const removedFarewell = (event: Removed, now: Date): Farewell => {
  const { reason } = event;
  if (reason === 'banned') return bannedFarewell(event, now);
  return reason === 'closed' ? closedFarewell(event, now) : { title: words.removed, message: words.removedBy[reason] };
};

export const refusedFarewell = (error: Error, title: string, now: Date): Farewell => {
  const { message } = error;
  if (!(error instanceof ApiError)) return { title, message };
  if (error.code !== 'participant_banned' && error.code !== 'room_closed') return { title, message };
  const detail = (name: string) => error.details.find(({ path }) => path === name)?.message ?? null;
  const told = { because: detail('because'), until: detail('until'), standingUrl: detail('standingUrl') };
  return farewellOf[error.code](told, now);
};

const keptNotice = ({ keepsSeconds = 0 }: RoomPerson): string => (keepsSeconds === 0 ? '' : words.kept(keepsSeconds));

export function transcribedNotice({ people }: RoomScreen): string | null {
  const bot = people.find((person) => person.bot);
  return bot === undefined ? null : `${words.transcribed(isolated(bot.name))}${keptNotice(bot)}`;
}

export function microphoneProblem(error: unknown): string {
  const name = error instanceof DOMException ? error.name : '';
  const { blocked, missing, busy } = words.microphoneProblems;
  return name === 'NotAllowedError' ? blocked : name === 'NotFoundError' ? missing : busy;
}

/** A category of the project's own list is shown by its name. */
export const categoryWords = (name: string): string =>
  (Object.hasOwn(words.categories, name) ? words.categories[name] : undefined) ?? name.replaceAll('_', ' ');

/** Why an encrypted room cannot be entered from this link; null when it can. */
export function encryptionProblem(
  { encryption }: RoomScreen,
  { hasKey, isPossible }: { hasKey: boolean; isPossible: boolean },
): string | null {
  if (encryption === 'disabled') return null;
  if (!hasKey) return words.encrypted.noKey;
  return isPossible ? null : words.encrypted.impossible;
}
