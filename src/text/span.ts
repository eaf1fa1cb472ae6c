/** Durations as people type and read them. */

/** `10m`, `2h30m`, `7d`: as durations are typed, in at most two units, with that between them. */
export function spanOf(seconds: number, between = ''): string {
  const units = [
    ['d', 86_400],
    ['h', 3_600],
    ['m', 60],
    ['s', 1],
  ] as const;
  const first = units.findIndex(([, length]) => seconds >= length);
  if (first === -1) return '0s';
  let rest = seconds;
  return units
    .slice(first, first + 2)
    .map(([unit, length]) => {
      const count = Math.floor(rest / length);
      rest -= count * length;
      return count === 0 ? '' : `${count}${unit}`;
    })
    .filter((part) => part !== '')
    .join(between);
}
