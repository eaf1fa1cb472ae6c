/**
 * Keeps what rests on sanctions in step with them: the outcome of the reports that led to one, the record of their reporters,
 * and suspensions for unfounded appeals. Consequences come from what stands.
 */
import type { Transaction } from '../../../platform/database/database.js';
import { mapWithPauses } from '../../../platform/database/slices.js';
import type { EventLog } from '../../../platform/events/log.js';
import type { Clock } from '../../../platform/time/clock.js';
import type { SanctionOutcomes } from '../../moderation/cases.js';
import type { ReviewStore } from '../../moderation/reviews/store.js';
import type { SanctionRow } from '../../moderation/sanctions/sanction-rows.js';
import type { SanctionStore } from '../../moderation/sanctions/store.js';
import type { SanctionsTakenBack } from '../../moderation/sanctions/taken-back.js';
import type { MisuseNotices } from '../reporters/misuse.js';
import { recordWithUpheld } from '../reporters/reliability.js';
import type { ReporterStore } from '../reporters/reporter-store.js';
import { type ReportRow, type ReportStore, reportEvent } from '../reports/report-store.js';
import type { CaseStore } from './case-store.js';

interface ReportOutcomesNeeds {
  readonly cases: Pick<CaseStore, 'imposing'>;
  readonly reports: Pick<ReportStore, 'turn'>;
  readonly reporters: Pick<ReporterStore, 'lockAll' | 'setAll'>;
  readonly sanctions: Pick<SanctionStore, 'withReplaced'>;
  readonly reviews: Pick<ReviewStore, 'unfoundedAppellants'>;
  readonly takenBack: SanctionsTakenBack;
  readonly misuse: Pick<MisuseNotices, 'appealsChanged'>;
  readonly log: Pick<EventLog, 'append'>;
  readonly now: Clock;
}

type ChangedSanction = Pick<SanctionRow, 'id' | 'tenantId' | 'projectId' | 'externalUserId'>;
interface Turned {
  readonly before: ReportRow;
  readonly after: ReportRow;
}

export class ReportOutcomes implements SanctionOutcomes {
  constructor(private readonly needs: ReportOutcomesNeeds) {}

  /** Runs a change of locked sanctions of one project, or of the reviews about them, and lets what rests on them follow. */
  async during<T>(tx: Transaction, sanctions: readonly ChangedSanction[], change: () => Promise<T>): Promise<T> {
    const [first] = sanctions;
    if (first === undefined) return change();
    const { projectId } = first;
    const { takenBack, reviews, misuse } = this.needs;
    const all = await this.needs.sanctions.withReplaced(tx, projectId, sanctions);
    const appellants = await reviews.unfoundedAppellants(
      tx,
      all.map(({ id }) => id),
    );
    const before = new Map<string, Date[]>();
    for (const one of appellants) before.set(one, await takenBack.unfoundedAppeals(projectId, one, tx));
    const result = await change();
    for (const [one, times] of before) {
      const after = await takenBack.unfoundedAppeals(projectId, one, tx);
      await misuse.appealsChanged(tx, first, one, { before: times, after });
    }
    await this.turnReports(tx, first, all);
    return result;
  }

  private async turnReports(tx: Transaction, project: ChangedSanction, sanctions: readonly ChangedSanction[]) {
    const { projectId } = project;
    const cases = await this.needs.cases.imposing(tx, projectId, sanctions);
    if (cases.length === 0) return;
    const imposed = cases.map(({ sanctionId }) => sanctionId);
    const gone = await this.needs.takenBack.among(projectId, imposed, tx);
    const idsOf = (isGone: boolean) => cases.flatMap((one) => (gone.has(one.sanctionId) === isGone ? [one.id] : []));
    const now = this.needs.now();
    const refuted = await this.needs.reports.turn(tx, idsOf(true), { from: 'action_taken', to: 'no_action' }, now);
    const confirmed = await this.needs.reports.turn(tx, idsOf(false), { from: 'no_action', to: 'action_taken' }, now);
    await this.recordReporters(tx, projectId, refuted, confirmed);
    const eventOf = ({ before, after }: Turned) => reportEvent('report.updated', after, before);
    await this.needs.log.append(tx, ...(await mapWithPauses([...refuted, ...confirmed], eventOf)));
  }

  /** A case counts once for everybody who reported in it, as when it was decided. */
  private async recordReporters(
    tx: Transaction,
    projectId: string,
    refuted: readonly Turned[],
    confirmed: readonly Turned[],
  ): Promise<void> {
    const now = this.needs.now();
    const [lost, won] = [casesByReporter(refuted), casesByReporter(confirmed)];
    const people = [...new Set([...lost.keys(), ...won.keys()])];
    const records = await this.needs.reporters.lockAll(tx, projectId, people, now);
    const countOf = (cases: Map<string, Set<string | null>>, one: string) => cases.get(one)?.size ?? 0;
    const after = [...records].map(
      ([one, record]) => [one, recordWithUpheld(record, countOf(won, one) - countOf(lost, one))] as const,
    );
    await this.needs.reporters.setAll(tx, projectId, new Map(after), now);
  }
}

function casesByReporter(turned: readonly Turned[]): Map<string, Set<string | null>> {
  const cases = new Map<string, Set<string | null>>();
  for (const { after } of turned)
    if (after.reporterUserId !== null)
      cases.set(after.reporterUserId, (cases.get(after.reporterUserId) ?? new Set()).add(after.caseId));
  return cases;
}
