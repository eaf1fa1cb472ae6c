/** What the reporters of a case have in common besides the minute, for whoever decides it. */
import type { SharedTrait } from '../../../../src/contract/reports/cases.js';
import type { Database } from '../../../platform/database/database.js';
import type { Clock } from '../../../platform/time/clock.js';
import { dayMs } from '../../../platform/time/spans.js';
import type { MemberStore } from '../../gatherings/member-store.js';
import { gatheringMin } from '../reporters/reliability.js';
import type { ReportStore } from '../reports/report-store.js';
import type { CaseRow } from './case-store.js';

/** Reports of the same people about others count for this long. */
const togetherMs = 30 * dayMs;
const reportersMax = 200;
const traitsMax = 20;

export class SharedTraits {
  constructor(
    private readonly database: Pick<Database, 'read'>,
    private readonly reports: Pick<ReportStore, 'reportersOf' | 'reportedBy'>,
    private readonly members: Pick<MemberStore, 'sharingSeats'>,
    private readonly now: Clock,
  ) {}

  /** At least three reporters who sit in one gathering, or who reported another person as well. */
  async of({ id, projectId, externalUserId }: CaseRow): Promise<SharedTrait[]> {
    const reporters = await this.reports.reportersOf(id, reportersMax);
    if (reporters.length < gatheringMin) return [];
    const seats = await this.members.sharingSeats(this.database.read, projectId, reporters);
    const since = new Date(this.now().getTime() - togetherMs);
    const others = await this.reports.reportedBy(projectId, reporters, since);
    const gatherings = seats.map((group): SharedTrait => ({ what: 'gathering', about: null, reporters: group }));
    const targets = [...others].map(([about, by]): SharedTrait => ({ what: 'reports', about, reporters: by }));
    return [...gatherings, ...targets.filter(({ about }) => about !== externalUserId)]
      .map((one) => ({ ...one, reporters: [...new Set(one.reporters)].sort() }))
      .filter((one) => one.reporters.length >= gatheringMin)
      .sort((a, b) => b.reporters.length - a.reporters.length || (a.what < b.what ? -1 : 1))
      .slice(0, traitsMax);
  }
}
