/**
 * What was said before a report and is recognised after it: a recogniser answers seconds later, or more when it is behind. Such
 * a line is added to the reports whose evidence it is, as it would have been had it been there. A line that is stored while a
 * report is, is looked for once more when the report is there.
 */
import type { DomainEvent } from '../../../../src/contract/events.js';
import { addTo } from '../../../platform/collections/add-to.js';
import { jsonTextOrNull } from '../../../platform/database/column-values.js';
import type { Database } from '../../../platform/database/database.js';
import { textField } from '../../../platform/events/text-field.js';
import type { Logger } from '../../../platform/observability/logger.js';
import type { Clock } from '../../../platform/time/clock.js';
import type { ParticipantDirectory } from '../../people/directory.js';
import type { SessionDirectory } from '../../sessions/directory.js';
import type { SpokenEvidence } from '../../sessions/evidence.js';
import type { TranscriptReader } from '../../sessions/transcript-reader.js';
import type { CaseIntake } from '../cases/intake.js';
import type { ReportStore } from './report-store.js';
import { linesMax } from './writer.js';

interface LateLinesNeeds {
  readonly database: Pick<Database, 'transaction'>;
  readonly reports: Pick<ReportStore, 'addLines' | 'lock' | 'missing' | 'spansIn' | 'spansOf'>;
  readonly cases: Pick<CaseIntake, 'extended'>;
  readonly people: Pick<ParticipantDirectory, 'lock'>;
  readonly transcripts: Pick<TranscriptReader, 'messagesIn'>;
  readonly sessions: Pick<SessionDirectory, 'allRoomsOf'>;
  readonly evidence: Pick<SpokenEvidence, 'lines' | 'saidInRoom'>;
  readonly log: Pick<Logger, 'error'>;
  readonly now: Clock;
}

type LateLine = Awaited<ReturnType<SpokenEvidence['lines']>>[number] & { readonly roomId: string };

export class LateLines {
  constructor(private readonly needs: LateLinesNeeds) {}

  /** Follows new messages and reports. A report stays without the line where that fails. */
  async follow(events: readonly DomainEvent[]): Promise<void> {
    const spoken = new Map<string, string[]>();
    const reports = new Map<string, string[]>();
    for (const { projectId, type, payload } of events) {
      const id = textField(payload.data, 'id');
      if (projectId === undefined || id === null) continue;
      if (type !== 'message.created') addTo(reports, projectId, id);
      else if (textField(payload.data, 'origin') === 'speech') addTo(spoken, projectId, id);
    }
    for (const projectId of new Set([...spoken.keys(), ...reports.keys()]))
      try {
        const missing = await this.missing(projectId, [...new Set(reports.get(projectId))]);
        await this.add(projectId, [...new Set([...(spoken.get(projectId) ?? []), ...missing])]);
      } catch (error) {
        this.needs.log.error({ err: error, projectId }, 'lines could not be added to the reports before them');
      }
  }

  /** What was stored while these reports were. */
  private async missing(projectId: string, reportIds: readonly string[]): Promise<string[]> {
    const { reports, evidence, now } = this.needs;
    const ids: string[] = [];
    if (reportIds.length === 0) return ids;
    for (const { reportId, ...span } of await reports.spansOf(projectId, reportIds, now()))
      ids.push(...(await reports.missing(projectId, reportId, await evidence.saidInRoom(projectId, span))));
    return ids;
  }

  private async add(projectId: string, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const lines = await this.needs.evidence.lines(projectId, ids);
    const rooms = await this.needs.sessions.allRoomsOf(projectId, [...new Set(lines.map((one) => one.sessionId))]);
    const said = lines
      .map((line) => ({ ...line, roomId: rooms.get(line.sessionId) ?? '' }))
      .sort((one, other) => one.timestamp.getTime() - other.timestamp.getTime());
    const [from, to] = [said[0]?.timestamp, said.at(-1)?.timestamp];
    if (from === undefined || to === undefined) return;
    const spans = await this.needs.reports.spansIn(projectId, [...rooms.values()], { from, to, now: this.needs.now() });
    const byReport = new Map<string, LateLine[]>();
    for (const { reportId, roomId, since, until } of spans)
      for (const line of said)
        if (line.roomId === roomId && since <= line.timestamp && line.timestamp <= until)
          addTo(byReport, reportId, line);
    for (const [reportId, own] of byReport) await this.store(projectId, reportId, [...new Set(own)]);
  }

  private async store(projectId: string, reportId: string, lines: readonly LateLine[]): Promise<void> {
    const { database, reports, people, transcripts, cases } = this.needs;
    await database.transaction(async (tx) => {
      // Nobody among them is erased until the transaction ends; who was before has no message any more.
      await people.lock(tx, projectId, [...new Set(lines.flatMap((one) => one.externalUserId ?? []))].sort());
      const report = await reports.lock(tx, projectId, reportId);
      if (report === null) return;
      const kept = new Set(
        (
          await transcripts.messagesIn(
            tx,
            lines.map(({ id }) => id),
          )
        ).map(({ id }) => id),
      );
      const rows = lines
        .filter(({ id }) => kept.has(id))
        .map(({ id: messageId, externalUserId, senderName, content, timestamp: saidAt, asr }) => ({
          ...{ reportId, messageId, projectId, externalUserId, senderName, content, saidAt },
          ...{ isNamed: false, asrReport: jsonTextOrNull(asr) },
        }));
      await reports.addLines(tx, reportId, rows, linesMax);
      await cases.extended(tx, projectId, [report]);
    });
  }
}
