/** The figures of a project over some days, from its counts and from what is stored of people who are there. */

import { storableTime } from '../../../src/contract/common.js';
import { SanctionType } from '../../../src/contract/moderation/sanction-record.js';
import { StatementSource } from '../../../src/contract/moderation/statement-basis.js';
import {
  daysMax,
  type ModerationStats,
  mostMax,
  SanctionOrigin,
  type StatsQuery,
} from '../../../src/contract/stats/moderation-stats.js';
import { hoursOfDay, type ProjectDay } from '../../../src/contract/stats/project-day.js';
import { CostlyAnswers } from '../../platform/limits/costly-answers.js';
import type { Clock } from '../../platform/time/clock.js';
import { dayMs, hourMs } from '../../platform/time/spans.js';
import type { AccountDirectory } from '../identity/directory.js';
import type { SanctionStore } from '../moderation/sanctions/store.js';
import type { ProjectStore } from '../projects/store.js';
import type { ReportStore } from '../reports/reports/report-store.js';
import type { RuleStore } from '../rules/resource/rule-store.js';
import type { DayStore } from './days/day-store.js';
import { quantile } from './days/durations.js';
import { type DayFolding, dayAfter } from './days/folding.js';

interface StatsServiceNeeds {
  readonly days: DayStore;
  readonly folding: DayFolding;
  readonly projects: Pick<ProjectStore, 'tenantOf'>;
  readonly accounts: Pick<AccountDirectory, 'names'>;
  readonly rules: Pick<RuleStore, 'names'>;
  readonly reports: Pick<ReportStore, 'mostReported'>;
  readonly sanctions: Pick<SanctionStore, 'mostSanctioned'>;
  readonly now: Clock;
}

const listMax = 200;
/** What the figures add up over the days; rooms are many, and read apart. */
const summed = [
  ...['report', 'report.source', 'report.decided', 'report.seconds', 'report.hour'],
  ...['case.created', 'case.overdue', 'case.seconds', 'human_review.seconds', 'appeal.seconds'],
  ...['sanction', 'sanction.erased', 'sanction.revoked', 'sanction.hour', 'moderator'],
  ...['complaint', 'complaint.decided'],
  ...['imposed', 'reviewed', 'overturned'].flatMap((what) =>
    ['rule', 'template', 'author'].map((by) => `${what}.${by}`),
  ),
];

interface DateSpan {
  readonly from: string;
  readonly to: string;
}
const usualDays = 30;
const weekMs = 7 * dayMs;
const startOf = (time: Date, spanMs: number): number => Math.floor(time.getTime() / spanMs) * spanMs;
const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

type Counts = ReadonlyMap<string, number>;
const none: Counts = new Map();
const totalOf = (counts: Counts): number => [...counts.values()].reduce((sum, count) => sum + count, 0);
const sorted = (counts: Counts): [key: string, count: number][] =>
  [...counts].filter(([, count]) => count > 0).sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
const share = (part: number, whole: number): number | null =>
  whole <= 0 ? null : Math.round((part / whole) * 1e4) / 1e4;

export class StatsService {
  private readonly kept = new CostlyAnswers<ModerationStats>();

  constructor(private readonly needs: StatsServiceNeeds) {}

  /** The day's hours from the one of `since` on, and those of a week before. */
  async day(projectId: string, since: string | undefined): Promise<ProjectDay> {
    const { folding, days, now } = this.needs;
    const countedAt = await folding.fold(projectId);
    const from = since === undefined ? startOf(now(), dayMs) : startOf(new Date(since), hourMs);
    const times = Array.from({ length: hoursOfDay }, (_, index) => from + index * hourMs);
    const spans = [from, times.at(-1) ?? from].flatMap((time) => [time, time - weekMs]);
    const dates = [...new Set(spans.map((time) => dayOf(storableTime(time))))];
    const counts = new Map<string, number>();
    for (const { day, what, key, count } of await days.byDayAndKey(projectId, dates, ['report.hour', 'sanction.hour']))
      counts.set(`${what} ${day} ${key}`, count);
    const countOf = (what: 'report' | 'sanction', time: number): number => {
      const at = storableTime(time);
      return Math.max(0, counts.get(`${what}.hour ${dayOf(at)} ${at.getUTCHours()}`) ?? 0);
    };
    return {
      countedAt: countedAt.toISOString(),
      hours: times.map((time) => ({
        at: storableTime(time).toISOString(),
        reports: countOf('report', time),
        sanctions: countOf('sanction', time),
        reportsBefore: countOf('report', time - weekMs),
        sanctionsBefore: countOf('sanction', time - weekMs),
      })),
    };
  }

  /** Counts what is new in the log first, unless that took long a moment ago. `countedAt` of the answer says when. */
  moderation(projectId: string, query: StatsQuery): Promise<ModerationStats> {
    return this.kept.get(JSON.stringify([projectId, query]), () => this.figures(projectId, query));
  }

  forget(): void {
    this.kept.forget();
  }

  private async figures(projectId: string, query: StatsQuery): Promise<ModerationStats> {
    const { folding, days, reports, sanctions, now } = this.needs;
    const countedAt = await folding.fold(projectId);
    const until = query.until === undefined ? now() : new Date(query.until);
    const since = query.since === undefined ? storableTime(until.getTime() - usualDays * dayMs) : new Date(query.since);
    const earliest = storableTime(until.getTime() - (daysMax - 1) * dayMs);
    const span = { from: dayOf(since < earliest ? earliest : since), to: dayOf(until) };
    const made = { since: span.from, until: dayAfter(span.to) };
    const found = new Map<string, Map<string, number>>();
    for (const { what, key, count } of await days.sums(projectId, span, summed)) {
      const kind = found.get(what) ?? new Map<string, number>();
      found.set(what, kind.set(key, count));
    }
    const of = (what: string): Counts => found.get(what) ?? none;
    const times = (kind: ModerationStats['decisions'][number]['kind'], seconds = of(`${kind}.seconds`)) => ({
      kind,
      decided: totalOf(seconds),
      medianSeconds: quantile(seconds, 0.5),
      p90Seconds: quantile(seconds, 0.9),
    });
    const answers = of('complaint.decided');
    const answered = (decision: string): number => byPart(answers, 0).get(decision) ?? 0;
    const total = totalOf(of('sanction')) + totalOf(of('sanction.erased'));
    return {
      since: span.from,
      until: span.to,
      countedAt: countedAt.toISOString(),
      reports: {
        total: totalOf(of('report')),
        byCategory: sorted(of('report')).map(([category, count]) => ({ category, reports: count })),
        bySource: sorted(of('report.source')).map(([source, count]) => ({ source, reports: count })),
        byOutcome: sorted(of('report.decided')).map(([outcome, count]) => ({ outcome, reports: count })),
      },
      complaints: {
        ...{ total: totalOf(of('complaint')), upheld: answered('upheld'), overturned: answered('overturned') },
      },
      cases: { opened: totalOf(of('case.created')), overdue: totalOf(of('case.overdue')) },
      decisions: [
        ...[times('case'), times('report'), times('human_review'), times('appeal')],
        times('complaint', byPart(answers, 1)),
      ],
      sanctions: { total, revoked: totalOf(of('sanction.revoked')), byKind: byKind(of('sanction')) },
      rules: await this.rules(projectId, of),
      templates: sides(of, 'template').map(([name, rest]) => ({ name, ...rest })),
      moderators: await this.moderators(projectId, span, of),
      mostReported: await reports.mostReported(projectId, made, mostMax),
      mostSanctioned: await sanctions.mostSanctioned(projectId, made, mostMax),
      rooms: await this.rooms(projectId, span),
      hours: Array.from({ length: 24 }, (_, hour) => ({
        hour,
        reports: of('report.hour').get(String(hour)) ?? 0,
        sanctions: of('sanction.hour').get(String(hour)) ?? 0,
      })),
      days: await this.byDay(projectId, span),
    };
  }

  private async rules(projectId: string, of: (what: string) => Counts): Promise<ModerationStats['rules']> {
    const all = sides(of, 'rule');
    const names = await this.needs.rules.names(
      projectId,
      all.map(([id]) => id),
    );
    return all.map(([id, rest]) => ({ id, name: names.get(id) ?? null, ...rest }));
  }

  private async moderators(
    projectId: string,
    span: DateSpan,
    of: (what: string) => Counts,
  ): Promise<ModerationStats['moderators']> {
    const { days, accounts, projects } = this.needs;
    const decided = new Map<string, number>();
    for (const [key, count] of of('moderator')) {
      const id = moderatorOf(key);
      decided.set(id, (decided.get(id) ?? 0) + count);
    }
    const hours = new Map<string, number>();
    for (const { key, days: worked } of await days.daysOf(projectId, span, 'moderator')) {
      const id = moderatorOf(key);
      hours.set(id, (hours.get(id) ?? 0) + worked);
    }
    const imposed = new Map(sides(of, 'author'));
    const ids = [...new Set([...decided.keys(), ...imposed.keys()])];
    const names = await accounts.names((await projects.tenantOf(projectId)) ?? '', ids);
    const rows = ids.map((id) => {
      const side = imposed.get(id) ?? { sanctions: 0, reviewed: 0, overturned: 0, overturnedShare: null };
      const [done, worked] = [decided.get(id) ?? 0, hours.get(id) ?? 0];
      return {
        ...{ id, name: names.get(id) ?? null, ...side },
        agreement: share(side.reviewed - side.overturned, side.reviewed),
        ...{
          decided: done,
          hours: worked,
          decidedPerHour: worked === 0 ? null : Math.round((done / worked) * 100) / 100,
        },
      };
    });
    const workOf = (row: (typeof rows)[number]): number => row.sanctions + row.decided;
    return rows.sort((a, b) => workOf(b) - workOf(a) || (a.id < b.id ? -1 : 1)).slice(0, listMax);
  }

  private async rooms(projectId: string, span: DateSpan): Promise<ModerationStats['rooms']> {
    const { days } = this.needs;
    const ids = await days.most(projectId, span, ['report.room', 'sanction.room'], mostMax);
    const reports = await days.sumsOf(projectId, span, 'report.room', ids);
    const sanctions = await days.sumsOf(projectId, span, 'sanction.room', ids);
    return ids.map((roomId) => ({
      ...{ roomId, reports: reports.get(roomId) ?? 0, sanctions: sanctions.get(roomId) ?? 0 },
    }));
  }

  private async byDay(projectId: string, span: DateSpan) {
    const kinds = {
      report: 'reports',
      sanction: 'sanctions',
      'case.seconds': 'decided',
      'review.decided': 'decided',
    };
    const all = new Map<string, { day: string; reports: number; sanctions: number; decided: number }>();
    for (const [what, field] of Object.entries(kinds) as [string, 'reports' | 'sanctions' | 'decided'][])
      for (const { day, count } of await this.needs.days.byDay(projectId, span, [what])) {
        const one = all.get(day) ?? { day, reports: 0, sanctions: 0, decided: 0 };
        one[field] += count;
        all.set(day, one);
      }
    return [...all.values()].sort((a, b) => (a.day < b.day ? -1 : 1)).slice(-daysMax);
  }
}

/** The counts by one part of their keys. */
function byPart(counts: Counts, index: number): Counts {
  const sums = new Map<string, number>();
  for (const [key, count] of counts) {
    const part = textsOf(key)[index] ?? '';
    sums.set(part, (sums.get(part) ?? 0) + count);
  }
  return sums;
}

const textsOf = (key: string): (string | null)[] => JSON.parse(key);
const moderatorOf = (key: string): string => textsOf(key)[0] ?? '';

function byKind(counts: Counts): ModerationStats['sanctions']['byKind'] {
  const sums = new Map<string, number>();
  for (const [key, count] of counts) {
    const kind = JSON.stringify(textsOf(key).slice(0, 3));
    sums.set(kind, (sums.get(kind) ?? 0) + count);
  }
  return sorted(sums).map(([key, sanctions]) => {
    const [type, origin, source] = textsOf(key);
    return {
      type: SanctionType.parse(type),
      origin: SanctionOrigin.parse(origin),
      source: StatementSource.parse(source),
      sanctions,
    };
  });
}

/** How the decisions of each rule, template or author lasted. */
function sides(of: (what: string) => Counts, side: 'rule' | 'template' | 'author') {
  const [imposed, reviewed, overturned] = [of(`imposed.${side}`), of(`reviewed.${side}`), of(`overturned.${side}`)];
  const keys = new Set([...sorted(imposed), ...sorted(reviewed)].map(([key]) => key));
  return [...keys].slice(0, listMax).map((key) => {
    const counts = {
      sanctions: imposed.get(key) ?? 0,
      reviewed: reviewed.get(key) ?? 0,
      overturned: overturned.get(key) ?? 0,
    };
    return [key, { ...counts, overturnedShare: share(counts.overturned, counts.reviewed) }] as const;
  });
}
