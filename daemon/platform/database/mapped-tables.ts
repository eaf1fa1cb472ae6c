/** Tables as the data map describes them (prisma/models, generated/data-map.ts), and statements about some of their rows. */
import type { Settings } from '../config/schema.js';
import type { Reader, Transaction } from './database.js';
import { type Dialect, written } from './dialect.js';
import { rowsAtOnce } from './slices.js';

/** Settings that are a number of days. */
type KeptDays = { [Name in keyof Settings]-?: Settings[Name] extends number ? Name : never }[keyof Settings];

export interface MappedTable {
  readonly name: string;
  /** Columns of the primary key. */
  readonly key: readonly string[];
  /** null: its rows name no project, or a module deletes them. */
  readonly project: { readonly inBatches: boolean } | null;
  /** null: a module does all that is done about people. */
  readonly person: PersonColumns | null;
  readonly erase: { readonly inBatches: boolean } | null;
  readonly rename: boolean;
  /** Name under which a preview counts the rows; null: it does not count them. */
  readonly count: string | null;
  /**
   * Rows are deleted `ms`, or the days of a setting, after the time in the column `by`, unless a legal hold, or a sanction whose
   * evidence it is, keeps an id that one of the columns `holding` names.
   */
  readonly keep: {
    readonly by: string;
    readonly setting: KeptDays | null;
    readonly ms: number;
    readonly holding: readonly string[];
  } | null;
}

export interface PersonColumns {
  /** Column with the external user id. */
  readonly external: string | null;
  /** Column with the participant id. */
  readonly participant: string | null;
  /** false: rows are found by the external user id alone. */
  readonly foundByParticipant: boolean;
}

/** SQL with a `?` for each value. */
export interface Condition {
  readonly text: string;
  readonly values: readonly unknown[];
}

export const equal = (column: string, value: unknown): Condition => ({ text: `"${column}" = ?`, values: [value] });

/** The column contains the text, whatever characters that has: `contains` of a query is a pattern. */
export const contains = (dialect: Dialect, column: string, text: string): Condition => ({
  text: `${dialect === 'sqlite' ? 'instr' : 'strpos'}("${column}", ?) > 0`,
  values: [text],
});

const joined = (word: string, conditions: readonly Condition[]): Condition => ({
  text: `(${conditions.map(({ text }) => text).join(` ${word} `)})`,
  values: conditions.flatMap(({ values }) => values),
});
export const all = (...conditions: readonly Condition[]): Condition => joined('AND', conditions);
export const any = (...conditions: readonly Condition[]): Condition => joined('OR', conditions);

/** The rows of a table that name, in these columns, no id of their project that a list has. */
export const namesNone = (
  list: { readonly name: string; readonly id: string },
  table: string,
  columns: readonly string[],
): Condition => {
  const named = columns.map((column) => `"${table}"."${column}"`).join(', ');
  const ofProject = `"${list.name}"."projectId" = "${table}"."projectId"`;
  return {
    text: `NOT EXISTS (SELECT 1 FROM "${list.name}" WHERE ${ofProject} AND "${list.name}"."${list.id}" IN (${named}))`,
    values: [],
  };
};

/** Deletes a batch of rows; returns how many. Rows that another transaction holds are waited for and looked at again. */
export function deleteSome(
  tx: Transaction,
  dialect: Dialect,
  { name, key }: Pick<MappedTable, 'name' | 'key'>,
  { text, values }: Condition,
  limit = rowsAtOnce,
): Promise<number> {
  const columns = key.map((column) => `"${column}"`).join(', ');
  const lock = dialect === 'postgresql' ? ' FOR UPDATE' : '';
  const some = `SELECT ${columns} FROM "${name}" WHERE ${text} LIMIT ?${lock}`;
  const statement = `DELETE FROM "${name}" WHERE (${columns}) IN (${some})`;
  return tx.$executeRawUnsafe(written(dialect, statement), ...values, limit);
}

export function deleteAll(
  tx: Transaction,
  dialect: Dialect,
  { name }: Pick<MappedTable, 'name'>,
  { text, values }: Condition,
): Promise<number> {
  return tx.$executeRawUnsafe(written(dialect, `DELETE FROM "${name}" WHERE ${text}`), ...values);
}

export function updateAll(
  tx: Transaction,
  dialect: Dialect,
  { name }: Pick<MappedTable, 'name'>,
  changes: readonly Condition[],
  { text, values }: Condition,
): Promise<number> {
  const statement = `UPDATE "${name}" SET ${changes.map((change) => change.text).join(', ')} WHERE ${text}`;
  const changed = changes.flatMap((change) => change.values);
  return tx.$executeRawUnsafe(written(dialect, statement), ...changed, ...values);
}

export async function countAll(
  reader: Pick<Reader | Transaction, '$queryRawUnsafe'>,
  dialect: Dialect,
  { name }: Pick<MappedTable, 'name'>,
  { text, values }: Condition,
): Promise<number> {
  const statement = written(dialect, `SELECT count(*) AS "count" FROM "${name}" WHERE ${text}`);
  const [row] = await reader.$queryRawUnsafe<{ readonly count: bigint | number }[]>(statement, ...values);
  return Number(row?.count ?? 0);
}

/** Returns the ids of the first rows in the order of a column. */
export async function firstIds(
  reader: Pick<Reader | Transaction, '$queryRawUnsafe'>,
  dialect: Dialect,
  { name }: Pick<MappedTable, 'name'>,
  { text, values }: Condition,
  { by, take }: { readonly by: string; readonly take: number },
): Promise<string[]> {
  const statement = written(dialect, `SELECT "id" FROM "${name}" WHERE ${text} ORDER BY "${by}" LIMIT ?`);
  return (await reader.$queryRawUnsafe<{ readonly id: string }[]>(statement, ...values, take)).map(({ id }) => id);
}

export async function hasAny(
  reader: Pick<Reader | Transaction, '$queryRawUnsafe'>,
  dialect: Dialect,
  { name }: Pick<MappedTable, 'name'>,
  { text, values }: Condition,
): Promise<boolean> {
  const statement = written(dialect, `SELECT 1 FROM "${name}" WHERE ${text} LIMIT 1`);
  return (await reader.$queryRawUnsafe<unknown[]>(statement, ...values)).length > 0;
}
