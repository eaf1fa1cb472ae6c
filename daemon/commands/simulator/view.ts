/** Output of `earshotd simulate`: tables in 80 columns; bars and curves on a terminal alone. */
import { type Screen, table } from '../../../src/terminal/output.js';
import { styled } from '../../../src/terminal/terminal.js';
import type { ReachedReport, SeasonReport } from './report.js';

const labelMax = 20;
const kindMax = 10;
const kindsShown = 5;
const kindsInHead = 4;
const barMax = 19;
const heights = ' ▁▂▃▄▅▆▇█';

const short = (text: string, max: number): string => (text.length > max ? `${text.slice(0, max - 1)}…` : text);
const percent = (share: number): string => `${Math.round(share * 100)} %`;
const bar = (share: number): string => '█'.repeat(Math.round(share * barMax)).padEnd(barMax, '·');
const curve = (shares: readonly number[]): string =>
  shares
    .map((share) => (share === 0 ? heights[0] : heights[Math.max(1, Math.round(share * (heights.length - 1)))]))
    .join('');

const daysOf = ({ first, last }: NonNullable<ReachedReport['onDay']>): string =>
  first === last ? `${first}` : `${first}-${last}`;

type Kinds = SeasonReport['kinds'];

const kindsIn = (kinds: Kinds): string =>
  [
    ...kinds.slice(0, kindsInHead).map(({ name, players }) => `${players} ${short(name, kindMax)}`),
    ...(kinds.length > kindsInHead ? ['…'] : []),
  ].join(', ');

function reachedTable(rows: readonly ReachedReport[], screen: Screen): string {
  const cells = rows.map(({ name, reached, share, afterMinutes, onDay }) => ({
    name: short(name, labelMax),
    reached,
    share: percent(share),
    ...(screen.isTerminal ? { '': bar(share) } : {}),
    halfAfter: afterMinutes === null ? null : `${afterMinutes.median} min`,
    days: onDay === null ? null : daysOf(onDay),
  }));
  const columns = ['name', 'reached', 'share', ...(screen.isTerminal ? [''] : []), 'halfAfter', 'days'];
  return table(cells, columns, screen);
}

/** Names that look alike once they are cut get a number ahead. */
function columnsOf(kinds: Kinds): string[] {
  const names = kinds.map(({ name }) => short(name, kindMax));
  const isUnique = new Set([...names, 'name']).size > names.length;
  return isUnique ? names : kinds.map(({ name }, index) => short(`${index + 1} ${name}`, kindMax));
}

function kindsTable(rows: readonly ReachedReport[], kinds: Kinds, screen: Screen): string {
  const shown = columnsOf(kinds.slice(0, kindsShown));
  const cells = rows.map(({ name, shareByKind }) => ({
    name: short(name, labelMax),
    ...Object.fromEntries(shown.map((column, index) => [column, percent(shareByKind[index] ?? 0)])),
  }));
  const rest = kinds.length > shown.length ? `\n(${kinds.length - shown.length} more kinds: --json)` : '';
  return table(cells, ['name', ...shown], screen) + rest;
}

const curves = (rows: readonly ReachedReport[]): string =>
  rows
    .map(({ name, overTime }) => `${short(name, labelMax).padEnd(labelMax)}  ${styled('cyan', curve(overTime))}`)
    .join('\n');

function part(title: string, rows: readonly ReachedReport[], { kinds }: SeasonReport, screen: Screen): string[] {
  if (rows.length === 0) return [];
  return [
    screen.isTerminal ? styled('bold', title) : title,
    reachedTable(rows, screen),
    ...(kinds.length > 1 ? ['Share of each kind of player:', kindsTable(rows, kinds, screen)] : []),
    ...(screen.isTerminal ? ['Share of players who reached it, from the first minute to the last:', curves(rows)] : []),
  ];
}

export function seasonReportView(report: SeasonReport, screen: Screen): string {
  const { players, kinds, sessions, events, seed, startsAt, endsAt, battlePasses, challenges, leaderboards } = report;
  const bounds = [
    report.minutes === null ? '' : `${report.minutes} minutes each`,
    report.days === null ? '' : `${report.days} days`,
  ].filter((text) => text !== '');
  const head = [
    `${players} players, ${bounds.join(', ')}, seed ${seed}`,
    kindsIn(kinds),
    `${startsAt.slice(0, 16)}Z to ${endsAt.slice(0, 16)}Z: ${sessions} sessions, ${events} events`,
  ].join('\n');
  const boards = table(
    leaderboards.map((board) => ({ ...board, key: short(board.key, labelMax) })),
    ['key', 'members', 'best', 'median'],
    screen,
  );
  return [
    head,
    ...battlePasses.flatMap(({ name, levels }) => part(name, levels, report, screen)),
    ...part('Challenges', challenges, report, screen),
    ...(leaderboards.length > 0
      ? [screen.isTerminal ? styled('bold', 'Leaderboards at the end') : 'Leaderboards at the end', boards]
      : []),
  ].join('\n\n');
}
