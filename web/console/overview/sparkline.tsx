export const bars = 12;
const hourMs = 3_600_000;

/** Counts the times of an hour in twelve bars. */
export function countsOfHour(times: readonly number[], until: number): readonly number[] {
  const counts = Array.from({ length: bars }, () => 0);
  for (const time of times) {
    const bar = Math.min(bars - 1, Math.max(0, Math.floor(((time - until + hourMs) / hourMs) * bars)));
    counts[bar] = (counts[bar] ?? 0) + 1;
  }
  return counts;
}

export function Sparkline({ counts }: { readonly counts: readonly number[] }) {
  const most = Math.max(1, ...counts);
  return (
    <svg viewBox="0 0 60 14" width="60" height="14" aria-hidden="true">
      {counts.map((count, index) => (
        <rect
          key={index}
          x={index * 5}
          width="4"
          y={13 - (count / most) * 12}
          height={(count / most) * 12 + 1}
          fill="currentColor"
        />
      ))}
    </svg>
  );
}
