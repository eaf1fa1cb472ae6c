/** Records that modules hold about a person, for an export: read a page at a time, in the order of their places. */
import type { PersonRecordKind } from '../../src/contract/people/person-export.js';

/** An id of a person, from today or from before a move, and when it was theirs. */
export interface HeldId {
  readonly id: string;
  /** First id of a row that can be about them; null: nobody had it before. */
  readonly firstId: string | null;
  /** Ids of rows about them are smaller; null: it is theirs today. */
  readonly firstIdAfter: string | null;
}

export interface ExportedPerson {
  readonly projectId: string;
  /** null: they are no participant. */
  readonly participantId: string | null;
  readonly externalUserId: string;
  readonly heldIds: readonly HeldId[];
  /** With what others wrote about them in confidence. */
  readonly confidential: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

interface PlacedRecord {
  /** Orders it among those of its kind. */
  readonly place: string;
  readonly record: Fields;
}

interface RecordPage {
  readonly records: readonly PlacedRecord[];
  /** Cursor of the next page; null: there are no more of this kind. */
  readonly next: string | null;
}

export interface PersonRecords {
  readonly kind: PersonRecordKind;
  /** At most `take` records behind a place; empty: from the first on. */
  page(person: ExportedPerson, after: string, take: number): Promise<RecordPage>;
}

/** Records of one row each, which `read` returns in the order of `placeOf`. */
export const recordsOf = <Row extends object>(
  kind: PersonRecordKind,
  read: (person: ExportedPerson, after: string, take: number) => Promise<readonly Row[]>,
  placeOf: (row: Row) => string,
  view: (row: Row) => Fields = (row) => plain(row),
): PersonRecords => ({
  kind,
  async page(person, after, take) {
    const rows = await read(person, after, take);
    const records = rows.map((row) => ({ place: placeOf(row), record: view(row) }));
    return { records, next: rows.length === take ? (records.at(-1)?.place ?? null) : null };
  },
});

export const byId = ({ id }: { readonly id: string }): string => id;

/** The row as JSON: times as ISO 8601, integers as numbers, and columns of JSON as what they hold. */
export function plain(row: object, ...jsonColumns: readonly string[]): Fields {
  const shown = (name: string, value: unknown): unknown => {
    if (value instanceof Date) return value.toISOString();
    if (typeof value === 'bigint') return Number(value);
    return typeof value === 'string' && jsonColumns.includes(name) ? JSON.parse(value) : value;
  };
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, shown(name, value)]));
}
