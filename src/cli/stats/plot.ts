/** The figures of moderation by day as a chart: an SVG or a PNG file that needs nothing else. */
import type { ModerationStats } from '../../contract/stats/moderation-stats.js';
import { type ChartShape, pngOf } from './png.js';

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

/** The chart as shapes. Days without anything are drawn as 0. */
function shapesOf({ since, until, days }: PlottedDays): ChartShape[] {
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
  const text = (x: number, y: number, words: string, more: { end?: boolean; bold?: boolean } = {}): ChartShape => ({
    ...{ is: 'text', at: { x, y }, text: words },
    ...more,
  });
  const grid = Array.from({ length: top / step + 1 }, (_, index): ChartShape[] => {
    const y = yOf(index * step);
    const [from, to] = [
      { x: edge.left, y },
      { x: width - edge.right, y },
    ];
    return [
      { is: 'line', from, to, wide: 1, colour: '#dddddd' },
      text(edge.left - 8, y + 4, String(index * step), { end: true }),
    ];
  });
  const lines = series.map(({ field, colour }): ChartShape[] => {
    const points = all.map((day, index) => ({ x: xOf(index), y: yOf(known.get(day)?.[field] ?? 0) }));
    const parts = points.slice(1).flatMap((to, index): ChartShape[] => {
      const from = points[index];
      return from === undefined ? [] : [{ is: 'line', from, to, wide: 2, colour }];
    });
    return [...parts, ...points.map((at): ChartShape => ({ is: 'dot', at, r: 2, colour }))];
  });
  const legend = series.map(({ name, colour }, index): ChartShape[] => [
    { is: 'rect', x: edge.left + index * 120, y: 28, w: 12, h: 12, colour },
    text(edge.left + index * 120 + 18, 38, name),
  ]);
  return [
    text(edge.left, 18, titleOf({ since, until }), { bold: true }),
    ...[...legend, ...grid, ...lines].flat(),
    text(edge.left, height - 14, since),
    text(width - edge.right, height - 14, until, { end: true }),
  ];
}

type PlottedDays = Pick<ModerationStats, 'since' | 'until' | 'days'>;
const titleOf = ({ since, until }: Pick<PlottedDays, 'since' | 'until'>): string =>
  `Moderation, ${since} to ${until} (UTC)`;

function svgOf(shape: ChartShape): string {
  const to = (value: number): string => value.toFixed(1);
  if (shape.is === 'rect')
    return `<rect x="${to(shape.x)}" y="${to(shape.y)}" width="${shape.w}" height="${shape.h}" fill="${shape.colour}"/>`;
  if (shape.is === 'dot')
    return `<circle cx="${to(shape.at.x)}" cy="${to(shape.at.y)}" r="${shape.r}" fill="${shape.colour}"/>`;
  if (shape.is === 'line') {
    const ends = `x1="${to(shape.from.x)}" y1="${to(shape.from.y)}" x2="${to(shape.to.x)}" y2="${to(shape.to.y)}"`;
    return `<line ${ends} stroke="${shape.colour}" stroke-width="${shape.wide}"/>`;
  }
  const marks = `${shape.end === true ? ' text-anchor="end"' : ''}${shape.bold === true ? ' font-weight="bold"' : ''}`;
  return `<text x="${to(shape.at.x)}" y="${to(shape.at.y)}"${marks}>${shape.text}</text>`;
}

/** As SVG. */
export const plotOf = (days: PlottedDays): string =>
  [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif" font-size="12" role="img" aria-label="${titleOf(days)}">`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    ...shapesOf(days).map(svgOf),
    '</svg>\n',
  ].join('\n');

/** As PNG. */
export const pngPlotOf = (days: PlottedDays): Uint8Array => pngOf(shapesOf(days), { width, height });
