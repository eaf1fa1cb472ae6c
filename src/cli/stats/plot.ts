/** The figures of moderation by day as a chart: an SVG file that needs nothing else. */
import type { ModerationStats } from '../../contract/stats/moderation-stats.js';

const [width, height] = [960, 360];
const edge = { left: 56, right: 16, top: 48, bottom: 40 };
const series = [
  { field: 'reports', name: 'Reports', colour: '#1f77b4' },
  { field: 'sanctions', name: 'Sanctions', colour: '#d62728' },
  { field: 'decided', name: 'Decisions', colour: '#2ca02c' },
] as const;
const dayMs = 86_400_000;
const linesMax = 5;

/** A round number of at least a fifth of `most`: 1, 2 or 5 times a power of ten. */
function stepOf(most: number): number {
  const least = Math.max(1, most / linesMax);
  const power = 10 ** Math.floor(Math.log10(least));
  return power * ([1, 2, 5, 10].find((factor) => factor * power >= least) ?? 10);
}

const text = (x: number, y: number, content: string, more = ''): string =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${more}>${content}</text>`;

/** Days without anything are drawn as 0. */
export function plotOf({ since, until, days }: Pick<ModerationStats, 'since' | 'until' | 'days'>): string {
  const known = new Map(days.map((one) => [one.day, one]));
  const first = Date.parse(since);
  const count = Math.round((Date.parse(until) - first) / dayMs) + 1;
  const all = Array.from({ length: count }, (_, index) => new Date(first + index * dayMs).toISOString().slice(0, 10));
  const most = Math.max(1, ...days.flatMap((one) => series.map(({ field }) => one[field])));
  const step = stepOf(most);
  const top = Math.ceil(most / step) * step;
  const inner = { width: width - edge.left - edge.right, height: height - edge.top - edge.bottom };
  const xOf = (index: number): number =>
    edge.left + (count === 1 ? inner.width / 2 : (index / (count - 1)) * inner.width);
  const yOf = (value: number): number => edge.top + inner.height * (1 - value / top);
  const grid = Array.from({ length: top / step + 1 }, (_, index) => {
    const y = yOf(index * step);
    const line = `<line x1="${edge.left}" x2="${width - edge.right}" y1="${y.toFixed(1)}" y2="${y.toFixed(1)}" stroke="#ddd"/>`;
    return line + text(edge.left - 8, y + 4, String(index * step), 'text-anchor="end"');
  });
  const lines = series.map(({ field, colour }) => {
    const points = all.map((day, index) => `${xOf(index).toFixed(1)},${yOf(known.get(day)?.[field] ?? 0).toFixed(1)}`);
    const dots = points.map((point) => point.split(',')).map(([x, y]) => `<circle cx="${x}" cy="${y}" r="2"/>`);
    return `<g fill="${colour}"><polyline points="${points.join(' ')}" fill="none" stroke="${colour}" stroke-width="2"/>${dots.join('')}</g>`;
  });
  const legend = series.map(
    ({ name, colour }, index) =>
      `<rect x="${edge.left + index * 120}" y="28" width="12" height="12" fill="${colour}"/>${text(edge.left + index * 120 + 18, 38, name)}`,
  );
  const title = `Moderation, ${since} to ${until} (UTC)`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif" font-size="12" role="img" aria-label="${title}">`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    text(edge.left, 18, title, 'font-weight="bold"'),
    ...legend,
    ...grid,
    ...lines,
    text(edge.left, height - 14, since),
    text(width - edge.right, height - 14, until, 'text-anchor="end"'),
    '</svg>\n',
  ].join('\n');
}
