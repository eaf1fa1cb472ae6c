/** Rankings on a terminal of 80 columns: places, scores and a bar that shows the distances. */
import type { LeaderboardRebuild } from '../../contract/gameplay/leaderboard-rebuilds.js';
import type { LeaderboardEntry, LeaderboardRankingPage } from '../../contract/gameplay/leaderboards.js';
import { textOf } from '../../contract/gameplay/localised-text.js';
import { cut, fitted, widthOf } from '../../terminal/columns.js';
import { cell, type Screen, table } from '../../terminal/output.js';
import { styled } from '../../terminal/terminal.js';
import { harmless } from '../../text/printable.js';

const nameMax = 24;
const barMax = 30;
const gaps = 6;
/** Width to assume where that of the terminal is not known. */
const usualWidth = 80;

const short = (text: string): string => cut(text, nameMax);
const nameOf = ({ info, memberId }: LeaderboardEntry): string => short(harmless(info?.username ?? memberId));

/** One line a member. A pipe gets the ids and no bars. */
export function boardView(entries: readonly LeaderboardEntry[], screen: Screen, marked: string | null = null): string {
  if (entries.length === 0) return 'Nobody is on the board yet.';
  if (!screen.isTerminal) return table(entries, ['rank', 'memberId', 'score'], screen);
  const most = Math.max(1, ...entries.map(({ score }) => Math.abs(score)));
  const ranks = Math.max(...entries.map(({ rank }) => String(rank).length));
  const names = Math.max(...entries.map((entry) => widthOf(nameOf(entry))));
  const scores = Math.max(...entries.map(({ score }) => String(score).length));
  const bars = Math.max(1, Math.min(barMax, (screen.width ?? usualWidth) - ranks - names - scores - gaps));
  return entries
    .map((entry) => {
      const bar = '█'.repeat(Math.max(1, Math.round((Math.abs(entry.score) / most) * bars)));
      const line = `${String(entry.rank).padStart(ranks)}  ${fitted(nameOf(entry), names)}  ${String(entry.score).padStart(scores)}  `;
      return `${entry.memberId === marked ? styled('bold', line) : line}${styled('cyan', bar)}`;
    })
    .join('\n');
}

export function boardScreen({ leaderboard, period, entries, total }: LeaderboardRankingPage, screen: Screen): string {
  if (!screen.isTerminal) return boardView(entries, screen);
  const hasEnded = period.endsAt !== null && Date.parse(period.endsAt) <= screen.now.getTime();
  const verb = hasEnded ? 'ended' : period.endsAt === leaderboard.endDate ? 'ends' : 'resets';
  const ends = period.endsAt === null ? '' : `, ${verb} ${cell(period.endsAt, screen)}`;
  const name = styled('bold', short(harmless(textOf(leaderboard.name))));
  const shown = entries.length < total ? `${entries.length} of ${total}` : String(total);
  return `${name}  ${shown} on the board${ends}\n\n${boardView(entries, screen)}`;
}

const place = ({ rank, score }: { rank: number; score: number }): string => (rank === -1 ? '-' : `${rank}. ${score}`);

export function rebuildView(rebuild: LeaderboardRebuild, screen: Screen): string {
  const { id, status, progress, failure, events, changed, changes, excluded } = rebuild;
  const rows = changes.map(({ memberType, memberId, before, after }) => ({
    ...{ kind: memberType, member: short(memberId), before: place(before), after: place(after) },
  }));
  const out =
    excluded.length === 0 ? 'everybody counts' : `without ${excluded.map((user) => short(harmless(user))).join(', ')}`;
  const done = progress < 1 ? `, ${Math.floor(progress * 100)} %` : '';
  const head = `rebuild ${id}  ${status}${failure === null ? done : `, ${failure}`}\n${events} events counted, ${out}; ${changed} ${changed === 1 ? 'member differs' : 'members differ'}`;
  const rest = changed > rows.length && rows.length > 0 ? `\n… and ${changed - rows.length} more` : '';
  return rows.length === 0 ? head : `${head}\n\n${table(rows, ['kind', 'member', 'before', 'after'], screen)}${rest}`;
}
