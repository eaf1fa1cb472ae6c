export const bars = 12;

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
