/** Candidates that a typed name may mean. */
import { ApiError } from '../../client/errors.js';
import { slipsBetween, slipsIn } from '../../contract/nearest.js';
import { UsageError } from '../../terminal/usage-error.js';
import { foldAccents } from '../../text/fold.js';
import { harmless } from '../../text/printable.js';
import { rowPages } from '../command/row-pages.js';

export interface Candidate {
  readonly id: string;
  /** Any of these names it, in any case and with or without accents. */
  readonly names: readonly string[];
  /** Tells it apart from others of the same name. */
  readonly says: string;
  /** An id that was imported and that nobody has played under: it may be the display name of somebody else. */
  readonly isImported?: true;
}

const nearMax = 3;
const rowsMax = 10_000;

/** The first rows of a list that has more of them. What `map` makes of it is one again, as of every kind of array. */
class FirstRows<T> extends Array<T> {}

const same = (one: string, other: string): boolean => foldAccents(one) === foldAccents(other);

/**
 * Returns the candidates that the text names: by id, else by a name as it is spelt, else by a name with other case or
 * accents; an imported id comes after them. Throws UsageError where there is none among the first rows: it may be one
 * of the others.
 */
export function namedBy(typed: string, all: readonly Candidate[]): readonly Candidate[] {
  const imported = all.filter(({ isImported }) => isImported);
  if (imported.length > 0)
    return [
      ...namedBy(
        typed,
        all.filter(({ isImported }) => !isImported),
      ),
      ...imported,
    ];
  const byId = all.filter(({ id }) => id === typed);
  if (byId.length > 0) return byId;
  const spelt = all.filter(({ names }) => names.includes(typed));
  const named = spelt.length > 0 ? spelt : all.filter(({ names }) => names.some((name) => same(name, typed)));
  if (named.length === 0 && all instanceof FirstRows)
    throw new UsageError(
      `${harmless(typed)} is not among the first ${rowsMax.toLocaleString('en')} candidates, and no more are searched; write the id.`,
    );
  return named;
}

const beginningMin = 2;
const isBeginning = (typed: string, name: string): boolean =>
  typed.length >= beginningMin && foldAccents(name).startsWith(foldAccents(typed));

/** Names that are a slip of the finger away, the nearest first, then those that begin with what was typed. */
export const namesNear = (typed: string, all: readonly Candidate[]): string[] =>
  [...new Set(all.flatMap(({ names }) => names))]
    .map((name) => ({ name, slips: slipsBetween(foldAccents(typed), foldAccents(name)) }))
    .filter(({ name, slips }) => slips <= slipsIn(typed) || isBeginning(typed, name))
    .sort((a, b) => a.slips - b.slips || a.name.localeCompare(b.name))
    .slice(0, nearMax)
    .map(({ name }) => harmless(name));

/** null: there is nothing of that name. */
export const ifThere = <T>(answer: Promise<T>): Promise<T | null> =>
  answer.catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  });

/** All rows of a list that comes in pages, up to a bound. */
export async function everyRow<Answer extends object, Row>(
  ...list: Parameters<typeof rowPages<Answer, Row>>
): Promise<Row[]> {
  const found: Row[] = [];
  for await (const rows of rowPages(...list)) {
    if (found.length >= rowsMax) return FirstRows.from(found);
    found.push(...rows);
  }
  return found;
}
