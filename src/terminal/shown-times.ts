/** Times and durations as people read them, on this machine's clock. Pure. */

/** `3m ago`, `in 2h`: for terminals; pipes get the ISO time. */
export function relative(iso: string, now: Date): string {
  const seconds = Math.round((new Date(iso).getTime() - now.getTime()) / 1_000);
  const size = Math.abs(seconds);
  const [unit, length] = size < 60 ? ['s', 1] : size < 3_600 ? ['m', 60] : size < 86_400 ? ['h', 3_600] : ['d', 86_400];
  const count = `${Math.round(size / Number(length))}${unit}`;
  return seconds > 0 ? `in ${count}` : `${count} ago`;
}

/** `18:04 (24m ago)`, on another day with the date: in this machine's time zone. */
export function momentOf(iso: string, now: Date): string {
  const time = new Date(iso);
  const day = dayOf(time) === dayOf(now) ? '' : `${dayOf(time)} `;
  return `${day}${clockTime(time).slice(0, -3)} (${relative(iso, now)})`;
}

const isoTimes = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/** A sentence with the times in it as people read them. */
export const withMoments = (text: string, now: Date): string => text.replaceAll(isoTimes, (iso) => momentOf(iso, now));

const twoDigits = (value: number): string => String(value).padStart(2, '0');
/** `18:04:09` on this machine's clock: for terminals. */
export const clockTime = (time: Date): string =>
  [time.getHours(), time.getMinutes(), time.getSeconds()].map(twoDigits).join(':');
/** `2026-01-31` in this machine's time zone. */
export const dayOf = (time: Date): string =>
  [time.getFullYear(), twoDigits(time.getMonth() + 1), twoDigits(time.getDate())].join('-');
