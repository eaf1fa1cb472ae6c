/** An hour in twelve bars. */
const bars = 12;
const hourMs = 3_600_000;

export function Sparkline({ times, until }: { readonly times: readonly number[]; readonly until: number }) {
  const counts = Array.from({ length: bars }, () => 0);
  for (const time of times) {
    const bar = Math.min(bars - 1, Math.max(0, Math.floor(((time - until + hourMs) / hourMs) * bars)));
    counts[bar] = (counts[bar] ?? 0) + 1;
  }
  const most = Math.max(1, ...counts);
  return (
    <svg viewBox="0 0 60 14" width="60" height="14" aria-hidden="true">
      {counts.map((count, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place
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
