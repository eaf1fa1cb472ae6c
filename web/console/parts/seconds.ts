/** Spans of time as they are typed. */

/** `10m` → 600; null: left empty; undefined: not understood. */
export function secondsOf(text: string): number | null | undefined {
  if (text.trim() === '') return null;
  const sizes: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };
  const parts = [...text.replaceAll(/\s/g, '').matchAll(/(\d{1,9})([smhd])/gy)];
  if (parts.map(([part]) => part).join('') !== text.replaceAll(/\s/g, '') || parts.length === 0) return undefined;
  return parts.reduce((sum, [, number, unit]) => sum + Number(number) * (sizes[unit ?? ''] ?? 0), 0);
}
