/** Open cases one after the other, the most urgent first, with what was reported and said. */
import type { EarshotClient } from '../../../client/earshot-client.js';
import { ApiError } from '../../../client/errors.js';
import { pageLimitMax } from '../../../contract/common.js';
import { type Case, type CaseDetail, caseRoutes, type DecideCaseRequest } from '../../../contract/reports/cases.js';
import { type ReportDetail, reportRoutes } from '../../../contract/reports/reports.js';

export interface ShownCase {
  readonly detail: CaseDetail;
  /** The first reports, with their transcripts. */
  readonly reports: readonly ReportDetail[];
}

/** Reports that are read whole; a case of more shows their number. */
const reportsShown = 5;
/** Somebody else was faster, or the case is for people with a higher role. */
const passedOver: readonly string[] = ['case_claimed', 'case_decided', 'case_unconfirmed', 'insufficient_role'];

export class OpenCases {
  /** Given back by this moderator: they are for somebody else. */
  private readonly released = new Set<string>();

  /** Open cases that the last `claim` passed over, because somebody else has to decide them. */
  passedOver = 0;

  constructor(
    private readonly client: EarshotClient,
    private readonly projectId: string,
  ) {}

  /** Claims the most urgent case that was not given back here; null: there is none. */
  async claim(): Promise<ShownCase | null> {
    const query = { status: 'open', limit: pageLimitMax } as const;
    const { cases } = await this.client.call(caseRoutes.list, { params: { projectId: this.projectId }, query });
    this.passedOver = 0;
    for (const { id } of cases.filter((one) => !this.released.has(one.id))) {
      try {
        await this.client.call(caseRoutes.claim, this.at(id));
        return await this.load(id);
      } catch (error) {
        if (!(error instanceof ApiError && passedOver.includes(error.code))) throw error;
        this.passedOver += 1;
      }
    }
    return null;
  }

  decide = (id: string, body: DecideCaseRequest): Promise<Case> =>
    this.client.call(caseRoutes.decide, { ...this.at(id), body });

  /** Gives a case back; it does not come again here. */
  async release(id: string): Promise<void> {
    await this.client.call(caseRoutes.release, this.at(id));
    this.released.add(id);
  }

  async escalate(id: string): Promise<void> {
    await this.client.call(caseRoutes.escalate, { ...this.at(id), body: { role: 'admin' } });
    this.released.add(id);
  }

  private async load(id: string): Promise<ShownCase> {
    const detail = await this.client.call(caseRoutes.get, this.at(id));
    const first = detail.reportList.slice(0, reportsShown);
    const reports = await Promise.all(first.map((one) => this.client.call(reportRoutes.get, this.at(one.id))));
    return { detail, reports };
  }

  private at = (id: string) => ({ params: { projectId: this.projectId, id } });
}
