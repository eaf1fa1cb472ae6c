/** Collects everything that a case rests on, for somebody without access to the daemon: a lawyer, an authority, a colleague. */
import type { EarshotClient } from '../../../client/earshot-client.js';
import { ApiError } from '../../../client/errors.js';
import { type AuditEntry, auditRoutes } from '../../../contract/audit/audit.js';
import { pageLimitMax } from '../../../contract/common.js';
import { type ReviewDetail, reviewRoutes } from '../../../contract/moderation/reviews.js';
import type { Sanction } from '../../../contract/moderation/sanction-record.js';
import { sanctionRoutes } from '../../../contract/moderation/sanctions.js';
import { type StatementOfReasons, statementRoutes } from '../../../contract/moderation/statements.js';
import { type CaseDetail, caseRoutes } from '../../../contract/reports/cases.js';
import { type ReportDetail, reportRoutes } from '../../../contract/reports/reports.js';
import { isClosed } from '../../command/refusals.js';
import { everyRow } from '../../names/candidates.js';

interface ReportSoundFile {
  readonly reportId: string;
  /** Within the archive. */
  readonly name: string;
  readonly wav: Uint8Array;
}

export interface Incident {
  readonly detail: CaseDetail;
  /** Oldest first, with the transcript that was stored with each. */
  readonly reports: readonly ReportDetail[];
  readonly sound: readonly ReportSoundFile[];
  readonly reviews: readonly ReviewDetail[];
  /** All of the person, newest first. */
  readonly sanctions: readonly Sanction[];
  /** Of those sanctions that have one. */
  readonly statements: readonly StatementOfReasons[];
  /** Newest first: what was done to the case, its reports, its reviews and the sanctions. */
  readonly audit: readonly AuditEntry[];
  /** Parts that the credential does not open. */
  readonly leftOut: readonly string[];
}

export async function incidentOf(client: EarshotClient, projectId: string, id: string): Promise<Incident> {
  const leftOut: string[] = [];
  const at = (of: string) => ({ params: { projectId, id: of } });
  const ifOpen = async <T>(part: string, answer: Promise<T[]>): Promise<T[]> =>
    answer.catch((error: unknown): T[] => {
      if (!isClosed(error)) throw error;
      leftOut.push(part);
      return [];
    });
  const detail = await client.call(caseRoutes.get, at(id));
  const listed = await everyRow(
    client,
    (page) => client.call(reportRoutes.list, { params: { projectId }, query: { caseId: id, ...page } }),
    (answer) => answer.reports,
  );
  const reports: ReportDetail[] = [];
  for (const one of listed) reports.push(await client.call(reportRoutes.get, at(one.id)));
  reports.sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
  const sound = await ifOpen('sound', soundsOf(client, projectId, reports));
  const reviews = await ifOpen(
    'reviews',
    Promise.all(detail.reviewList.map((one) => client.call(reviewRoutes.get, at(one.id)))),
  );
  const { externalUserId } = detail;
  const sanctions =
    externalUserId === null
      ? []
      : await ifOpen('sanctions', client.call(sanctionRoutes.ofUser, { params: { projectId, externalUserId } }));
  const statements: StatementOfReasons[] = [];
  for (const one of sanctions)
    await client.call(statementRoutes.get, at(one.id)).then(
      (statement) => void statements.push({ ...statement, url: null }), // whoever gets the archive could appeal
      (error: unknown) => {
        if (!(error instanceof ApiError && error.code === 'sanction_without_statement')) throw error;
      },
    );
  const targets = [id, ...[...reports, ...detail.reviewList, ...sanctions].map((one) => one.id)];
  const audit = await ifOpen('audit log', entriesAbout(client, projectId, targets));
  return { detail, reports, sound, reviews, sanctions, statements, audit, leftOut };
}

async function soundsOf(
  client: EarshotClient,
  projectId: string,
  reports: readonly ReportDetail[],
): Promise<ReportSoundFile[]> {
  const sounds: ReportSoundFile[] = [];
  for (const { id, sound } of reports) {
    if (sound.length === 0) continue;
    const wav = await client.bytes(reportRoutes.audio, { params: { projectId, id }, query: {} });
    sounds.push({ reportId: id, name: `sound/${id}.wav`, wav });
  }
  return sounds;
}

async function entriesAbout(
  client: EarshotClient,
  projectId: string,
  targets: readonly string[],
): Promise<AuditEntry[]> {
  const found = new Map<string, AuditEntry>();
  for (const target of targets)
    for (let after: string | null = ''; after !== null; ) {
      const query = { target, limit: pageLimitMax, ...(after === '' ? {} : { after }) };
      const page: { readonly entries: readonly AuditEntry[]; readonly next: string | null } = await client.call(
        auditRoutes.list,
        { params: { projectId }, query },
      );
      for (const entry of page.entries) found.set(entry.id, entry);
      after = page.next;
    }
  return [...found.values()].sort((a, b) => (a.at < b.at ? 1 : -1));
}
