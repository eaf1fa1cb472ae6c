/** Durations and times as people type them: `10m`, `2h30m`, `7d`; ISO times or `in 2h`. */

/** The input is not understood; the message says what is. */
export class NotUnderstood extends Error {
  override name = 'NotUnderstood';
}

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };

/** Seconds of `90`, `10m`, `2h30m`, `7d`. Throws NotUnderstood. */
export function parseDuration(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  if (!/^(\d+[smhdw])+$/.test(text))
    throw new NotUnderstood(`"${text}" is not a duration; write 30s, 10m, 2h30m or 7d.`);
  return [...text.matchAll(/(\d+)([smhdw])/g)].reduce(
    (sum, [, count = '0', unit = 's']) => sum + Number(count) * (unitSeconds[unit] ?? 0),
    0,
  );
}

/** ISO time of an ISO time or of `in 2h`. Throws NotUnderstood. */
export function parseTime(text: string, now: Date): string {
  const [, duration] = /^in\s+(\S+)$/.exec(text) ?? [];
  if (duration !== undefined) return new Date(now.getTime() + parseDuration(duration) * 1_000).toISOString();
  const time = new Date(text);
  if (Number.isNaN(time.getTime()))
    throw new NotUnderstood(`"${text}" is not a time; write 2026-01-31T12:00:00Z or "in 2h".`);
  return time.toISOString();
}

/** ISO time of an ISO time, or of `7d`: seven days ago. Throws NotUnderstood. */
export const parsePast = (text: string, now: Date): string =>
  /^(\d+[smhdw])+$/.test(text)
    ? new Date(now.getTime() - parseDuration(text) * 1_000).toISOString()
    : parseTime(text, now);

/** `3m ago`, `in 2h`: for terminals; pipes get the ISO time. */
export function relative(iso: string, now: Date): string {
  const seconds = Math.round((new Date(iso).getTime() - now.getTime()) / 1_000);
  const size = Math.abs(seconds);
  const [unit, length] = size < 60 ? ['s', 1] : size < 3_600 ? ['m', 60] : size < 86_400 ? ['h', 3_600] : ['d', 86_400];
  const count = `${Math.round(size / Number(length))}${unit}`;
  return seconds > 0 ? `in ${count}` : `${count} ago`;
}
