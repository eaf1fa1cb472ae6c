/**
 * Lists in one form, whatever operation they are of: `{items, total, next}`. The answers of the API differ: some are arrays, some
 * name their rows after what they are, some go on by offset and some behind a place. Pure.
 */
interface ListForm {
  readonly items: readonly unknown[];
  /** Rows in all; null: the daemon does not count them. */
  readonly total: number | null;
  /** Value of --offset or --after for the rows that follow; null: these are the last. */
  readonly next: number | string | null;
}

interface ListPage {
  /** Rows in all, as the daemon states them beside the answer; null: it does not. */
  readonly total: number | null;
  /** Rows that were passed over. */
  readonly offset: number;
}

/** null: the answer is no list. */
export function listForm(answer: unknown, { total, offset }: ListPage): ListForm | null {
  if (Array.isArray(answer)) return counted(answer, total ?? offset + answer.length, offset);
  if (typeof answer !== 'object' || answer === null) return null;
  const rows = Object.values(answer).filter((value): value is unknown[] => Array.isArray(value));
  const [items, another] = rows;
  if (items === undefined || another !== undefined) return null;
  if ('next' in answer && (typeof answer.next === 'string' || answer.next === null))
    return { items, total: null, next: answer.next };
  if (Object.keys(answer).length === 1) return counted(items, offset + items.length, offset);
  if (!('total' in answer) || typeof answer.total !== 'number') return null;
  const passed = 'offset' in answer && typeof answer.offset === 'number' ? answer.offset : offset;
  return counted(items, answer.total, passed);
}

const counted = (items: readonly unknown[], total: number, offset: number): ListForm => {
  const end = offset + items.length;
  return { items, total, next: end < total && items.length > 0 ? end : null };
};
