/** Dates and times as people type them. */

/** `2026-01-31`, `2026-01-31 18:00`, and RFC 3339; without a zone the time of this machine. null: anything else, such as 05.06.2026. */
export function dateOf(typed: string): Date | null {
  const text = typed.trim();
  const shape = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?)?\s*(Z|[+-]\d\d:\d\d)?$/i;
  const [, year, month, day, hour = 0, minute = 0, second = 0, zone] = shape.exec(text) ?? [];
  if (year === undefined) return null;
  const fields = [Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second)] as const;
  const back = new Date(Date.UTC(...fields));
  // The 30th of February is no day; Date makes it one of March.
  if (back.getUTCDate() !== fields[2] || back.getUTCMonth() !== fields[1] || back.getUTCHours() !== fields[3])
    return null;
  return zone === undefined ? new Date(...fields) : new Date(text.replace(' ', 'T').replace(/\s/g, ''));
}
