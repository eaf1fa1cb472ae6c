/** What a sanctioned person is told about a sanction. Pure. */
import { textIn } from '../../../../src/contract/language.js';
import { ReviewDecision } from '../../../../src/contract/moderation/review-decision.js';
import { isToldType, kindOf, type ToldType } from '../../../../src/contract/moderation/sanction-kinds.js';
import type { StatementAppeal, StatementOfReasons } from '../../../../src/contract/moderation/statements.js';
import { composed, type StatementFacts } from '../../../../src/text/statements/compose.js';
import { chosenLanguage } from '../../../../src/text/statements/languages.js';
import { timeOrNull } from '../../../platform/database/column-values.js';
import { appealableUntil } from '../reviews/rules.js';
import type { Appeals, ReviewRow } from '../reviews/store.js';
import { statusOf } from '../sanctions/rules.js';
import { type SanctionRow, typeOf } from '../sanctions/sanction-rows.js';

/**
 * The kind that the person is told about; null: nothing is told. A human_review restricts nobody, and a shadow mute is
 * told once it has ended.
 */
export function toldType(row: SanctionRow, now: Date): ToldType | null {
  const type = typeOf(row);
  if (!isToldType(type)) return null;
  return kindOf(type).told === 'once_over' && statusOf(row, now) === 'active' ? null : type;
}

const decisionOf = ({ decision }: ReviewRow): ReviewDecision | null => ReviewDecision.nullable().parse(decision);

function appealOf(row: SanctionRow, { own: review, inName }: Appeals, now: Date): StatementAppeal {
  const status = statusOf(row, now);
  const until = appealableUntil(row);
  const isPossible = status === 'active' || (status === 'expired' && now <= until);
  const made = review === null ? (isPossible ? 'possible' : 'over') : review.decision === null ? 'waiting' : 'decided';
  return {
    state: made,
    until:
      status === 'active' && (row.endAt === null || row.endAt > until) ? timeOrNull(row.endAt) : until.toISOString(),
    statement: review?.statement ?? null,
    decision: review === null ? null : decisionOf(review),
    answer: review?.answer ?? null,
    decidedAt: timeOrNull(review?.decidedAt ?? null),
    inName:
      inName === null
        ? null
        : {
            ...{ statement: inName.statement, decision: decisionOf(inName), answer: inName.answer },
            decidedAt: timeOrNull(inName.decidedAt),
          },
  };
}

/** Choice: time to read how it ended, in days. */
const readableDays = 30;

/**
 * The time after which nobody reads the statement by its code; null: the sanction is in force, or its appeal waits for
 * an answer.
 */
export function readableUntil(row: SanctionRow, { state, decidedAt, inName }: StatementAppeal, now: Date): Date | null {
  const status = statusOf(row, now);
  if (status === 'active' || state === 'waiting' || inName?.decision === null) return null;
  const ends = [
    row.endAt,
    row.revokedAt,
    decidedAt,
    inName?.decidedAt ?? null,
    status === 'expired' ? appealableUntil(row) : null,
  ];
  const last = Math.max(...ends.map((end) => (end === null ? 0 : new Date(end).getTime())));
  return new Date(last + readableDays * 86_400_000);
}

interface StatementOptions {
  readonly appeals: Appeals;
  /** Languages that the reader may want, the first one first. */
  readonly languages: readonly (string | null | undefined)[];
  /** The person is under age. */
  readonly minor: boolean;
  readonly url: string;
  readonly now: Date;
}

/** As it is written, without the name of the game and its operator. */
export type WrittenStatement = Omit<StatementOfReasons, 'game' | 'operator'>;

/** null: the person is not told. */
export function statementOf(
  row: SanctionRow,
  { appeals, languages, minor, url, now }: StatementOptions,
): WrittenStatement | null {
  const type = toldType(row, now);
  if (type === null) return null;
  const language = chosenLanguage(...languages);
  const { source, foundBy, decidedBy, ground, reasons } = row.basis;
  const facts: StatementFacts = {
    sanctionId: row.id,
    type,
    parameters: row.parameters,
    minor,
    sessionOnly: row.sessionId !== null,
    startAt: row.startAt.toISOString(),
    endAt: timeOrNull(row.endAt),
    status: statusOf(row, now),
    issuedAt: row.createdAt.toISOString(),
    facts: textIn(reasons, language) ?? row.reason,
    source,
    foundBy,
    decidedBy,
    automatedDetection: foundBy === 'program',
    automatedDecision: decidedBy === 'program',
    ground,
    appeal: appealOf(row, appeals, now),
  };
  const { parameters: _, minor: __, ...shown } = facts;
  return { ...shown, language, ...composed(facts, language), url };
}
