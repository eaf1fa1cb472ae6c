/** Which backups of the schedule stay: the newest of each of so many days, weeks and months, by UTC. Pure. */
import { dayMs } from '../../platform/time/spans.js';

/** Of how many days, weeks and months the newest backup stays. */
export interface BackupSpans {
  readonly days: number;
  readonly weeks: number;
  readonly months: number;
}

/** 1970-01-05 was a Monday. */
const mondayMs = 4 * dayMs;
const dayOf = (at: Date): string => at.toISOString().slice(0, 10);
const weekOf = (at: Date): number => Math.floor((at.getTime() - mondayMs) / (7 * dayMs));
const monthOf = (at: Date): string => at.toISOString().slice(0, 7);

/** Returns the backups that no span keeps. The newest one stays always. */
export function outdated<T extends { readonly at: Date }>(backups: readonly T[], spans: BackupSpans): T[] {
  const newestFirst = backups.toSorted((a, b) => b.at.getTime() - a.at.getTime());
  const kept = new Set(newestFirst.slice(0, 1));
  for (const [count, spanOf] of [
    [spans.days, dayOf],
    [spans.weeks, weekOf],
    [spans.months, monthOf],
  ] as const) {
    const seen = new Set<string | number>();
    for (const backup of newestFirst) {
      const span = spanOf(backup.at);
      if (seen.has(span)) continue;
      if (seen.size === count) break;
      seen.add(span);
      kept.add(backup);
    }
  }
  return newestFirst.filter((backup) => !kept.has(backup));
}
