/**
 * Durations and times as people type them, the same in commands, in files and in the console. Days, weekdays and clock
 * times are those of this machine's time zone, as its clock shows them. Pure.
 */

import { ownValue } from '../names/own-value.js';
import { dateOf } from './date.js';

/** The text is no duration or no time; the message says what to write. */
export class TimeUnreadable extends Error {
  override readonly name = 'TimeUnreadable';
}

/** Direction in which `2h` or `mon 18:00` lies from now. */
export type TimeDirection = 'past' | 'future';

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };
/** `2h`, `2 hours`: of a unit the first letter says which. */
const units = 's(?:ec(?:ond)?s?)?|m(?:in(?:ute)?s?)?|h(?:(?:ou)?rs?)?|d(?:ays?)?|w(?:eeks?)?';
const durationShape = new RegExp(`^(?:\\d+ ?(?:${units})(?: (?=\\d)|(?=\\d|$)))+$`, 'i');

const withoutUnit = (text: string) =>
  new TimeUnreadable(`"${text}" has no unit; write ${text}s, ${text}m, ${text}h or ${text}d.`);

/** A capital M is minutes to some and months to others. Throws TimeUnreadable. */
function refuseCapitalM(text: string): void {
  const [, count] = /(\d+) ?M(?![a-zA-Z])/.exec(text) ?? [];
  if (count !== undefined)
    throw new TimeUnreadable(`"${text}": ${count}m or ${30 * Number(count)}d? Write the one you mean.`);
}

/** Seconds of `10m`, `2h30m`, `7d`, `2 hours`; 0 needs no unit. Throws TimeUnreadable. */
export function durationOf(text: string): number {
  if (/^0+$/.test(text)) return 0;
  if (/^\d+$/.test(text)) throw withoutUnit(text);
  refuseCapitalM(text);
  if (!durationShape.test(text)) throw new TimeUnreadable(`"${text}" is not a duration; write 30s, 10m, 2h30m or 7d.`);
  const seconds = [...text.toLowerCase().matchAll(/(\d+) ?([smhdw])/g)].reduce(
    (sum, [, count = '0', unit = 's']) => sum + Number(count) * (unitSeconds[unit] ?? 0),
    0,
  );
  if (Number.isSafeInteger(seconds)) return seconds;
  throw new TimeUnreadable(`"${text}" is too long a duration.`);
}

/** Returns the typed time in ISO form; one without a direction lies in the direction that is given. Throws TimeUnreadable. */
export function timeOf(text: string, now: Date, direction: TimeDirection): string {
  const words = text.trim().toLowerCase().replaceAll(/\s+/g, ' ');
  if (/^\d+$/.test(words)) throw withoutUnit(words);
  refuseCapitalM(text);
  const time = distant(words, now, direction) ?? onDay(words, now, direction) ?? dateOf(text);
  if (time !== null && isInRange(time)) return time.toISOString();
  const relativeTime = direction === 'past' ? '2h, yesterday' : '2h, tomorrow';
  throw new TimeUnreadable(`"${text}" is not a time; write ${relativeTime}, "mon 18:00" or 2026-01-31T18:00:00Z.`);
}

/** RFC 3339 has four digits for the year. */
const isInRange = (time: Date): boolean =>
  !Number.isNaN(time.getTime()) && time.getUTCFullYear() >= 0 && time.getUTCFullYear() <= 9_999;

/** `now`, `2h`, `2 hours ago`, `in 2h`. */
function distant(words: string, now: Date, direction: TimeDirection): Date | null {
  if (words === 'now') return now;
  const [, before, duration = '', after] = /^(in )?(.+?)( ago)?$/.exec(words) ?? [];
  if (!durationShape.test(duration) || (before !== undefined && after !== undefined)) return null;
  const isPast = after !== undefined || (before === undefined && direction === 'past');
  return new Date(now.getTime() + (isPast ? -1_000 : 1_000) * durationOf(duration));
}

const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const weekdayShape = /^(sun|mon|tue|wed|thu|fri|sat)(day|s|sday|nesday|rs|rsday|urday)?$/;
const daysFromToday: Readonly<Record<string, number>> = { yesterday: -1, today: 0, tonight: 1, tomorrow: 1 };

/** `yesterday`, `tomorrow 9:00`, `mon 18:00`, `18:00`, `last month`. */
function onDay(words: string, now: Date, direction: TimeDirection): Date | null {
  const begun = begin(words, now);
  if (begun !== null) return begun;
  const typed = /^([a-z]+)?\s*(\d{1,2}:\d\d)?$/.exec(words);
  if (typed === null || words === '') return null;
  const [, day = '', clock] = typed;
  const [hour = 0, minute = 0] = clock?.split(':').map(Number) ?? [];
  if (hour > 23 || minute > 59 || (day === 'tonight' && clock !== undefined)) return null;
  const at = (days: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hour, minute);
  // Times of a day whose end is skipped by the clocks lie in the next one: so one more on either side.
  if (day === '') return nearest([-2, -1, 0, 1, 2].map(at), now, direction);
  const days = ownValue(daysFromToday, day);
  if (days !== undefined) return at(days);
  const weekday = weekdays.indexOf(weekdayShape.exec(day)?.[1] ?? '');
  if (weekday === -1) return null;
  const ahead = (weekday - now.getDay() + 7) % 7;
  return nearest([ahead - 14, ahead - 7, ahead, ahead + 7, ahead + 14].map(at), now, direction);
}

/** The last one that has come, or the first that is to come. */
const nearest = (times: readonly Date[], now: Date, direction: TimeDirection): Date | null =>
  (direction === 'past'
    ? times.findLast((time) => time.getTime() <= now.getTime())
    : times.find((time) => time.getTime() > now.getTime())) ?? null;

/** When a week or a month begins: weeks on Monday. */
function begin(words: string, now: Date): Date | null {
  const [, which = '', unit] = /^(last|this|next)\s+(week|month)$/.exec(words) ?? [];
  if (unit === undefined) return null;
  const step = { last: -1, this: 0, next: 1 }[which] ?? 0;
  return unit === 'month'
    ? new Date(now.getFullYear(), now.getMonth() + step, 1)
    : new Date(now.getFullYear(), now.getMonth(), now.getDate() - ((now.getDay() + 6) % 7) + 7 * step);
}
