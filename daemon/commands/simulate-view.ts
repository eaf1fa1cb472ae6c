/** What `earshotd simulate` prints: tables in 80 columns; bars and curves on a terminal alone. */
import { type Screen, table } from '../../src/cli/output.js';
import { styled } from '../../src/cli/terminal.js';
import type { ReachedReport, SeasonReport } from '../modules/gameplay/simulator/report.js';

const labelMax = 20;
const kindMax = 10;
const kindsShown = 5;
const barMax = 20;
const heights = ' ▁▂▃▄▅▆▇█';

const short = (text: string, max: number): string => (text.length > max ? `${text.slice(0, max - 1)}…` : text);
const percent = (share: number): string => `${Math.round(share * 100)} %`;
const bar = (share: number): string => '█'.repeat(Math.round(share * barMax)).padEnd(barMax, '·');
const curve = (shares: readonly number[]): string =>
  shares
    .map((share) => (share === 0 ? heights[0] : heights[Math.max(1, Math.round(share * (heights.length - 1)))]))
    .join('');

type Kinds = SeasonReport['kinds'];

function reachedTable(rows: readonly ReachedReport[], screen: Screen): string {
  const cells = rows.map(({ name, reached, share, afterMinutes, onDay }) => ({
    name: short(name, labelMax),
    reached,
    share: percent(share),
    ...(screen.isTerminal ? { '': bar(share) } : {}),
    halfAfter: afterMinutes === null ? null : `${afterMinutes.median} min`,
    firstDay: onDay?.first ?? null,
    lastDay: onDay?.last ?? null,
  }));
  const columns = ['name', 'reached', 'share', ...(screen.isTerminal ? [''] : []), 'halfAfter', 'firstDay', 'lastDay'];
  return table(cells, columns, screen);
}

function kindsTable(rows: readonly ReachedReport[], kinds: Kinds, screen: Screen): string {
  const shown = kinds.slice(0, kindsShown);
  const cells = rows.map(({ name, shareByKind }) => ({
    name: short(name, labelMax),
    ...Object.fromEntries(shown.map((kind, index) => [short(kind.name, kindMax), percent(shareByKind[index] ?? 0)])),
  }));
  const rest = kinds.length > shown.length ? `\n(${kinds.length - shown.length} more kinds: --json)` : '';
  return table(cells, ['name', ...shown.map((kind) => short(kind.name, kindMax))], screen) + rest;
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
    ...(screen.isTerminal ? ['Who had reached it, from the first minute to the last:', curves(rows)] : []),
  ];
}

export function seasonReportView(report: SeasonReport, screen: Screen): string {
  const { players, kinds, sessions, events, seed, startsAt, endsAt, battlePasses, challenges, leaderboards } = report;
  const bounds = [
    report.minutes === null ? '' : `${report.minutes} minutes each`,
    report.days === null ? '' : `${report.days} days`,
  ].filter((text) => text !== '');
  const head = [
    `${players} players (${kinds.map(({ name, players: count }) => `${count} ${short(name, kindMax)}`).join(', ')}), ${bounds.join(', ')}, seed ${seed}`,
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
