/** What a dry run shows of the lines of a file before they are imposed. Pure. */
import type { AppliedSanctions, BatchLine } from '../contract/moderation/sanction-batches.js';
import type { BatchItem } from './batch-lines.js';
import { isRounded, roundedId } from './csv-cell.js';

/** null: nothing is unusual about the line. */
export function warningsOf({ unknown, namesakes, doubleOf, inForce }: BatchLine): string | null {
  const seen =
    namesakes.length === 0 ? 'is unknown here' : `is unknown here, but is the name of ${namesakes.join(', ')}`;
  const warnings = [
    ...(unknown ? [seen] : []),
    ...(doubleOf === null ? [] : [`the same person as in line ${doubleOf}`]),
    ...(inForce.length === 0 ? [] : ['in force already']),
  ];
  return warnings.length === 0 ? null : warnings.join('; ');
}

/**
 * Returns a dry run in which lines about nobody are refused where somebody else is probably meant: the id is the name of
 * somebody, or a spreadsheet has rounded it. `acceptNew` says how to impose it all the same.
 */
export function withoutStrangers(
  items: readonly BatchItem[],
  answer: AppliedSanctions,
  acceptNew: string,
): AppliedSanctions {
  const ids = new Map(items.map(({ line, request }) => [line, request.externalUserId ?? '']));
  const long = [...ids.values()].filter((id) => /^\d{16,}$/.test(id));
  const areRounded = long.length > 0 && long.every(isRounded);
  const message = ({ line, unknown, outcome, namesakes }: BatchLine): string | null => {
    const id = ids.get(line) ?? '';
    if (!unknown || outcome !== 'created') return null;
    if (areRounded && isRounded(id)) return `${roundedId(id)} ${acceptNew}`;
    if (namesakes.length === 0) return null;
    return `nobody has the id ${id}, but it is the name of ${namesakes.join(', ')}; write that id. ${acceptNew}`;
  };
  const lines = answer.lines.map((line): BatchLine => {
    const why = message(line);
    return why === null ? line : { ...line, outcome: 'refused', code: 'sanction_target_required', message: why };
  });
  const refused = lines.filter(({ outcome }) => outcome === 'refused').length;
  return { ...answer, lines, refused, created: answer.created - (refused - answer.refused) };
}
