/**
 * What a reporter is told: that the report has arrived (Digital Services Act, Article 16(4)), and the decision with the ways to
 * contest it (Article 16(5) and (6)). The words say nothing about the reported person: neither which measure was taken, nor
 * whether others reported too.
 */
import { ReviewDecision } from '../../../../src/contract/moderation/review-decision.js';
import { DecidedBy } from '../../../../src/contract/moderation/statement-basis.js';
import { type ReceiptComplaint, type ReportReceipt, ReportStatus } from '../../../../src/contract/reports/reports.js';
import { timeIn } from '../../../../src/text/statements/compose.js';
import { chosenLanguage, wordsIn } from '../../../../src/text/statements/languages.js';
import { receiptTextsIn } from '../../../../src/text/statements/receipts.js';
import { timeOrNull } from '../../../platform/database/column-values.js';
import { afterMonths, complaintMonths } from '../../../platform/time/months.js';
import type { WantedLanguage } from '../../moderation/standing/statements.js';
import type { ReportRow } from './report-store.js';

export interface ReceiptReader {
  /** The reporter is under age. */
  readonly minor: boolean;
  readonly wanted: WantedLanguage;
  readonly url: string;
  readonly service: Pick<ReportReceipt, 'game' | 'operator'>;
  readonly now: Date;
}

/** The last moment of a complaint about a decision of this time: Article 20(1) and (2). */
export const complainableUntil = (decidedAt: Date): Date => afterMonths(decidedAt, complaintMonths);

/** True if somebody is left whom the report is about, or a room. */
export const hasTarget = ({ externalUserId, roomId }: Pick<ReportRow, 'externalUserId' | 'roomId'>): boolean =>
  externalUserId !== null || roomId !== null;

function complaintOf(row: ReportRow, now: Date): ReceiptComplaint | null {
  const { decidedAt, complainedAt, complaintDecision, complaintAnswer, complaintDecidedAt } = row;
  const told = decidedAt ?? complaintDecidedAt;
  if (told === null) return null;
  const until = complainableUntil(told);
  const isPossible = hasTarget(row) && now <= until;
  return {
    state:
      complaintDecidedAt !== null ? 'decided' : complainedAt !== null ? 'waiting' : isPossible ? 'possible' : 'over',
    until: until.toISOString(),
    statement: row.complaint,
    decision: ReviewDecision.nullable().parse(complaintDecision),
    answer: complaintAnswer,
    decidedAt: timeOrNull(complaintDecidedAt),
  };
}

export function toReceipt(
  row: ReportRow,
  { minor, wanted: { language: asked, others = [] }, url, service, now }: ReceiptReader,
): ReportReceipt {
  const { id, category, externalUserId, roomId, createdAt, decidedAt } = row;
  const status = ReportStatus.parse(row.status);
  const language = chosenLanguage(asked, row.language?.toLowerCase(), ...others);
  const complaint = complaintOf(row, now);
  return {
    ...{ id, category, externalUserId, roomId, status },
    message: messageOf(row, complaint, language, minor),
    createdAt: createdAt.toISOString(),
    decidedAt: timeOrNull(decidedAt),
    ...{ ...service, complaint, language, url },
  };
}

function messageOf(row: ReportRow, complaint: ReceiptComplaint | null, language: string, minor: boolean): string {
  const texts = receiptTextsIn(language);
  const words = minor ? texts.forMinors : texts;
  const all = wordsIn(language);
  const { jointDecision, automatedDecision, humanDecision, otherRedress } = minor ? all.forMinors : all;
  const answer = complaint?.answer ?? '–';
  const answered =
    complaint?.decision === 'overturned' ? words.complaintOverturned(answer) : words.complaintUpheld(answer);
  if (row.status === 'open')
    return [complaint?.state === 'decided' ? answered : words.received, words.sorted].join(' ');
  const outcome = { action_taken: words.acted, unfounded: words.unfounded }[row.outcome ?? ''] ?? words.notActed;
  const decided = { person: humanDecision, program: automatedDecision, both: jointDecision };
  const by = DecidedBy.safeParse(row.decidedBy).data;
  const ways: Partial<Record<ReceiptComplaint['state'], string>> = {
    possible: words.complainUntil(timeIn(language, complaint?.until ?? '')),
    waiting: words.complaintWaiting,
    decided: answered,
  };
  const way = ways[complaint?.state ?? 'over'];
  return [outcome, ...(by === undefined ? [] : [decided[by]]), ...(way === undefined ? [] : [way]), otherRedress].join(
    ' ',
  );
}
