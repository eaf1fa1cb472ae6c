/** Compares the lines of a batch with what is stored, and says what becomes of each. Pure. */
import { DomainError } from '../../../../src/contract/errors.js';
import type { AppliedSanctions, BatchLine } from '../../../../src/contract/moderation/sanction-batches.js';
import type { SanctionRow } from './sanction-rows.js';
import type { AppliedLine } from './store.js';

/** The result for a line: a new row, an existing row, or a refusal. */
type LineOutcome = {
  readonly line: number;
  readonly draft: SanctionRow | DomainError;
  readonly applied: string | null;
};

/** Further facts about the people of a request, by external user id. */
interface PeopleFacts {
  /** Sanctions in force, by kind and person. */
  readonly inForce: ReadonlyMap<string, readonly string[]>;
  readonly namesakes: ReadonlyMap<string, readonly string[]>;
}

/** Refused lines that the error of a batch names. */
const namedMax = 50;

export const kindAndPerson = ({ type, externalUserId }: Pick<SanctionRow, 'type' | 'externalUserId'>): string =>
  JSON.stringify([type, externalUserId]);

export const newRows = (batchId: string, outcomes: readonly LineOutcome[]): SanctionRow[] =>
  outcomes.flatMap(({ draft, line, applied }) =>
    draft instanceof DomainError || applied !== null ? [] : [{ ...draft, batchId, batchLine: line }],
  );

/** Decides the outcome of each draft, given the lines that are applied already. */
export function compare(
  applied: readonly AppliedLine[],
  firstLine: number,
  drafts: readonly (SanctionRow | DomainError)[],
): LineOutcome[] {
  const byLine = new Map(applied.map((row) => [row.batchLine, row]));
  return drafts.map((draft, index) => {
    const line = firstLine + index;
    const before = byLine.get(line);
    if (before === undefined || draft instanceof DomainError) return { line, draft, applied: before?.id ?? null };
    const same = before.type === draft.type && before.externalUserId === draft.externalUserId;
    return { line, draft: same ? draft : new DomainError('sanction_batch_line_differs'), applied: before.id };
  });
}

/** Throws sanction_batch_refused, naming the lines. */
export function refuseAny(outcomes: readonly LineOutcome[]): void {
  const details = outcomes.flatMap(({ line, draft }) =>
    draft instanceof DomainError ? [{ path: `line ${line}`, message: draft.message }] : [],
  );
  if (details.length > 0) throw new DomainError('sanction_batch_refused', { details: details.slice(0, namedMax) });
}

/** Nobody has been in the project under the id that the row is about. */
const isUnknown = (draft: SanctionRow): boolean => draft.participantId === null;

export const unknownIds = (drafts: readonly (SanctionRow | DomainError)[]): string[] => [
  ...new Set(
    drafts.flatMap((draft) => (draft instanceof DomainError || !isUnknown(draft) ? [] : (draft.externalUserId ?? []))),
  ),
];

export function summary(
  batchId: string,
  dryRun: boolean,
  outcomes: readonly LineOutcome[],
  { inForce, namesakes }: PeopleFacts,
): AppliedSanctions {
  const firstLines = new Map<string | null, number>();
  const lines = outcomes.map(({ line, draft, applied }): BatchLine => {
    const nothing = { inForce: [], unknown: false, namesakes: [], doubleOf: null };
    if (draft instanceof DomainError)
      return { line, outcome: 'refused', sanctionId: null, ...nothing, code: draft.code, message: draft.message };
    const { externalUserId } = draft;
    const doubleOf = firstLines.get(externalUserId) ?? null;
    if (doubleOf === null) firstLines.set(externalUserId, line);
    return {
      line,
      outcome: applied === null ? 'created' : 'unchanged',
      sanctionId: applied ?? (dryRun ? null : draft.id),
      inForce: (inForce.get(kindAndPerson(draft)) ?? []).filter((id) => id !== applied),
      unknown: isUnknown(draft),
      namesakes: [...(namesakes.get(externalUserId ?? '') ?? [])],
      doubleOf,
      code: null,
      message: null,
    };
  });
  const count = (test: (line: BatchLine) => boolean): number => lines.filter(test).length;
  return {
    batchId,
    dryRun,
    created: count(({ outcome }) => outcome === 'created'),
    unchanged: count(({ outcome }) => outcome === 'unchanged'),
    refused: count(({ outcome }) => outcome === 'refused'),
    unknown: count(({ unknown }) => unknown),
    doubled: count(({ doubleOf }) => doubleOf !== null),
    lines,
  };
}
