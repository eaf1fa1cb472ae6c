/**
 * Cuts a value into pieces that each take about a millisecond to be passed from one thread to another, so that the thread
 * that receives a large one can do other work in between. Lists of the value, or of its fields, are cut; the rest is small.
 */

/** A value without the lists that follow in pieces. */
interface Cut {
  readonly value: unknown;
  readonly pieces: readonly Piece[];
}

export interface Piece {
  /** The field whose list it belongs to; null: the value is the list. */
  readonly field: string | null;
  readonly items: readonly unknown[];
}

/** Items are weighed by how long they take, roughly: a value is 1, and so are this many characters of a text. */
const charactersPerWeight = 100;
const pieceWeight = 5_000;

function weightOf(value: unknown): number {
  if (typeof value === 'string') return 1 + value.length / charactersPerWeight;
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, one) => sum + weightOf(one), 1);
}

function piecesOf(field: string | null, items: readonly unknown[]): Piece[] {
  const pieces: { field: string | null; items: unknown[] }[] = [];
  let left = 0;
  for (const item of items) {
    if (left <= 0) {
      pieces.push({ field, items: [] });
      left = pieceWeight;
    }
    pieces.at(-1)?.items.push(item);
    left -= weightOf(item);
  }
  return pieces;
}

export function cut(value: unknown): Cut {
  if (Array.isArray(value)) return { value: [], pieces: piecesOf(null, value) };
  if (typeof value !== 'object' || value === null) return { value, pieces: [] };
  const fields = Object.entries(value);
  const lists = fields.filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]));
  return {
    value: Object.fromEntries(fields.map(([name, field]) => [name, Array.isArray(field) ? [] : field])),
    pieces: lists.flatMap(([field, items]) => piecesOf(field, items)),
  };
}

/** Adds a piece to the value that `cut` made. */
export function add({ field, items }: Piece, value: unknown): void {
  const list: unknown = field === null ? value : Reflect.get(Object(value), field);
  if (Array.isArray(list)) for (const item of items) list.push(item);
}
