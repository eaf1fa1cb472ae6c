/** The figures of moderation as tables with a title each; the same rows are the sections of the CSV. */
import type { ModerationStats } from '../../contract/stats/moderation-stats.js';

interface StatsTable {
  readonly title: string;
  readonly rows: readonly object[];
}

/** Tables without rows are left out. */
export function tablesOf(stats: ModerationStats): StatsTable[] {
  const { reports, sanctions } = stats;
  const busy = stats.hours.filter((hour) => hour.reports > 0 || hour.sanctions > 0);
  const all: StatsTable[] = [
    { title: 'Reports by category', rows: reports.byCategory },
    { title: 'Reports by source', rows: reports.bySource },
    { title: 'Reports by outcome', rows: reports.byOutcome },
    { title: 'Time to decision', rows: stats.decisions.filter(({ decided }) => decided > 0) },
    { title: 'Sanctions', rows: sanctions.byKind },
    { title: 'Rules', rows: stats.rules },
    { title: 'Templates', rows: stats.templates },
    { title: 'Moderators', rows: stats.moderators },
    { title: 'Most reported', rows: stats.mostReported },
    { title: 'Most sanctioned', rows: stats.mostSanctioned },
    { title: 'Rooms', rows: stats.rooms },
    { title: 'Hours of the day (UTC)', rows: busy },
    { title: 'Days', rows: stats.days },
  ];
  return all.filter(({ rows }) => rows.length > 0);
}

/** One figure a line: table, row (its texts, joined), figure, value. */
export function figuresOf(
  stats: ModerationStats,
): [table: string, row: string, figure: string, value: number | null][] {
  return tablesOf(stats).flatMap(({ title, rows }) =>
    rows.flatMap((row) => {
      const fields = Object.entries(row);
      const isName = ([name, value]: [string, unknown]): boolean =>
        name === 'hour' || name === 'name' || typeof value === 'string';
      const name = fields
        .filter(isName)
        .flatMap(([, value]) => (value === null ? [] : String(value)))
        .join(' ');
      return fields
        .filter((field) => !isName(field))
        .map(([figure, value]): [string, string, string, number | null] => [title, name, figure, value]);
    }),
  );
}
