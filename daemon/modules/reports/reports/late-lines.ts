/**
 * What was said before a report and is recognised after it: a recogniser answers seconds later, or more when it is behind. Such
 * a line is added to the reports whose evidence it is, as it would have been had it been there.
 */
import type { DomainEvent } from '../../../../src/contract/events.js';
import { addTo } from '../../../platform/collections/add-to.js';
import { jsonTextOrNull } from '../../../platform/database/column-values.js';
import type { Database } from '../../../platform/database/database.js';
import { textField } from '../../../platform/events/text-field.js';
import type { Logger } from '../../../platform/observability/logger.js';
import type { Clock } from '../../../platform/time/clock.js';
import { minuteMs } from '../../../platform/time/spans.js';
import type { ParticipantDirectory } from '../../people/directory.js';
import type { SessionDirectory } from '../../sessions/directory.js';
import type { SpokenEvidence } from '../../sessions/evidence.js';
import type { TranscriptReader } from '../../sessions/transcript-reader.js';
import type { CaseIntake } from '../cases/intake.js';
import type { MadeReport, ReportStore } from './report-store.js';
import { linesMax } from './writer.js';

const secondMs = 1_000;
/** A recogniser that is further behind has given the line up. */
const lateMs = 10 * minuteMs;

interface LateLinesNeeds {
  readonly database: Pick<Database, 'transaction'>;
  readonly reports: Pick<ReportStore, 'addLines' | 'latest' | 'lock' | 'namedIn'>;
  readonly cases: Pick<CaseIntake, 'extended'>;
  readonly people: Pick<ParticipantDirectory, 'lock'>;
  readonly transcripts: Pick<TranscriptReader, 'messagesIn'>;
  readonly sessions: Pick<SessionDirectory, 'allRoomsOf'>;
  readonly evidence: Pick<SpokenEvidence, 'isAround' | 'lines' | 'saidIn'>;
  readonly log: Pick<Logger, 'error'>;
  readonly now: Clock;
}

type LateLine = Awaited<ReturnType<SpokenEvidence['lines']>>[number] & { readonly roomId: string };

export class LateLines {
  constructor(private readonly needs: LateLinesNeeds) {}

  /** Follows new messages. A report stays without the line where that fails. */
  async follow(events: readonly DomainEvent[]): Promise<void> {
    const spoken = new Map<string, string[]>();
    for (const { projectId, payload } of events) {
      const id = textField(payload.data, 'id');
      if (projectId !== undefined && id !== null && textField(payload.data, 'origin') === 'speech')
        addTo(spoken, projectId, id);
    }
    for (const [projectId, ids] of spoken)
      await this.add(projectId, ids).catch((error: unknown) =>
        this.needs.log.error({ err: error, projectId }, 'lines could not be added to the reports before them'),
      );
  }

  private async add(projectId: string, ids: readonly string[]): Promise<void> {
    const since = new Date(this.needs.now().getTime() - lateMs);
    const recent = (await this.needs.reports.latest(projectId)).filter(({ createdAt }) => createdAt > since);
    if (recent.length === 0) return;
    const lines = await this.needs.evidence.lines(projectId, ids);
    const rooms = await this.needs.sessions.allRoomsOf(projectId, [...new Set(lines.map((one) => one.sessionId))]);
    const said = lines.map((line) => ({ ...line, roomId: rooms.get(line.sessionId) ?? '' }));
    for (const report of recent) {
      const own = await this.evidenceOf(report, said);
      if (own.length > 0) await this.store(report, own);
    }
  }

  /** Those of the lines that were said in the seconds before the report in its room, or around a message that it names. */
  private async evidenceOf({ id, projectId, roomId, createdAt, lastSeconds }: MadeReport, said: readonly LateLine[]) {
    const before = said.filter(({ timestamp }) => timestamp <= createdAt);
    if (before.length === 0) return [];
    const from = createdAt.getTime() - (lastSeconds ?? 0) * secondMs;
    const named = await this.needs.evidence.saidIn(projectId, await this.needs.reports.namedIn(id));
    return before.filter(
      (line) =>
        (lastSeconds !== null && line.roomId === roomId && line.timestamp.getTime() >= from) ||
        named.some((one) => one.roomId === line.roomId && this.needs.evidence.isAround(one.saidAt, line.timestamp)),
    );
  }

  private async store({ id: reportId, projectId }: MadeReport, lines: readonly LateLine[]): Promise<void> {
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
