/**
 * ISO 8601 in UTC, of times that are written again and again: one time on every event of a batch, and before and after
 * each change. The text is remembered, because making it takes microseconds.
 */
const places = 256;
const remembered: { readonly ms: number; readonly text: string }[] = [];

export function timeText(time: Date): string {
  const ms = time.getTime();
  const place = Math.abs(ms) % places;
  const known = remembered[place];
  if (known?.ms === ms) return known.text;
  const text = time.toISOString(); // throws for no time at all
  remembered[place] = { ms, text };
  return text;
}
