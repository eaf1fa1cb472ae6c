/**
 * Rows of a table written in sets. They go to the database as one parameter, a JSON array of arrays, so a statement's
 * text never depends on how many rows there are. The place of a column in these arrays is known only here; statements
 * name columns. Their types are those of the models.
 */
import { DomainError } from '../../../src/contract/errors.js';
import { refuseUnstorable } from '../text/storable-text.js';
import { type Dialect, sqlTime } from './dialect.js';
import { columnTypes } from './generated/columns.js';
import { Pauses, rowsAtOnce, slicesOf } from './slices.js';

type Tables = typeof columnTypes;
export type TableName = keyof Tables;
type BulkColumn<T extends TableName> = keyof Tables[T] & string;

interface Values {
  readonly String: string;
  readonly Int: number;
  readonly BigInt: bigint | number;
  readonly Float: number;
  readonly DateTime: Date;
  readonly Boolean: boolean;
}
type TypeName = keyof Values;
type ValueOf<Type> = Type extends `${infer Name extends TypeName}?`
  ? Values[Name] | null
  : Type extends TypeName
    ? Values[Type]
    : never;
type Row<T extends TableName, C extends BulkColumn<T>> = { readonly [Name in C]: ValueOf<Tables[T][Name]> };
type Value = Values[TypeName] | null;

/** How PostgreSQL casts the text of a JSON value to the type of the column; SQLite does so by itself. */
const casts: Readonly<Record<TypeName, (text: string) => string>> = {
  String: (text) => text,
  Int: (text) => `(${text})::int`,
  BigInt: (text) => `(${text})::bigint`,
  Float: (text) => `(${text})::double precision`,
  DateTime: (text) => `(${text})::timestamptz AT TIME ZONE 'UTC'`,
  Boolean: (text) => `(${text})::boolean`,
};

/** Column with the number of the row within the statement; no column of a table may have this name. */
const nthRow = 'nthRow';

/** How a statement names its first parameter. */
const first: Readonly<Record<Dialect, string>> = { sqlite: '?', postgresql: '$1' };

/** Others are written with a sign, which PostgreSQL does not read. */
const [firstTime, lastTime] = [Date.parse('0001-01-01T00:00:00.000Z'), Date.parse('9999-12-31T23:59:59.999Z')];

/** The value as JSON has it. Throws for what the databases do not hold alike. */
function toJson(value: Value, name: string, type: TypeName): string | number | boolean | null {
  if (typeof value === 'string') {
    refuseUnstorable(value, name);
    return value;
  }
  if (value instanceof Date) {
    const time = value.getTime();
    if (time >= firstTime && time <= lastTime) return sqlTime(value);
    if (Number.isNaN(time)) throw new RangeError(`The time in ${name} is none.`);
    // A duration leads there from a time that a caller may send.
    const message = 'lies outside the years 1 to 9999';
    throw new DomainError('validation_failed', { details: [{ path: name, message }] });
  }
  if (typeof value === 'bigint') return value.toString();
  // JSON has no NaN and would say null; beyond the safe integers a number is not what was counted.
  if (typeof value === 'number' && !(type === 'Float' ? Number.isFinite(value) : Number.isSafeInteger(value)))
    throw new RangeError(`${value} in ${name} is no ${type === 'Float' ? 'finite number' : 'safe integer'}.`);
  return value;
}

type Bindable = string | number | null;

/** SQLite holds booleans as numbers. */
const bindable = (value: ReturnType<typeof toJson>): Bindable => (typeof value === 'boolean' ? Number(value) : value);

/**
 * Up to `rowsAtOnce` rows as the statement of their dialect takes them. Made before the transaction where there are many:
 * other writers wait for it.
 */
export type PreparedRows =
  | { readonly count: number; readonly rows: readonly (readonly Bindable[])[] }
  | { readonly count: number; readonly text: string };

export class BulkRows<T extends TableName, C extends BulkColumn<T>> {
  private readonly types: readonly TypeName[];

  constructor(
    private readonly table: T,
    private readonly names: readonly C[],
  ) {
    if (names.some((name) => name === nthRow))
      throw new Error(`${table} has a column ${nthRow}, which rows of a set have.`);
    const types: Readonly<Record<string, string>> = columnTypes[table];
    this.types = names.map((name) => types[name]?.replace('?', '') as TypeName);
  }

  /** The columns as INSERT and SELECT list them; `of`: the alias of their table, with a point. */
  columns(of = ''): string {
    return this.names.map((name) => `${of}"${name}"`).join(', ');
  }

  /** The condition that two aliases have these columns in common. */
  equal(one: string, other: string): string {
    return this.names.map((name) => `${one}."${name}" = ${other}."${name}"`).join(' AND ');
  }

  /**
   * The rows of a parameter as something to select from: the columns by their names, and as "nthRow" which row it is,
   * from 0.
   */
  from(dialect: Dialect, parameter = first[dialect]): string {
    const text = dialect === 'sqlite' ? 'value' : 'e';
    const fields = this.names.map((name, place) => {
      const field = `${text}->>${place}`;
      return `${dialect === 'sqlite' ? field : casts[this.types[place] ?? 'String'](field)} AS "${name}"`;
    });
    return dialect === 'sqlite'
      ? `(SELECT key AS "${nthRow}", ${fields.join(', ')} FROM json_each(${parameter}))`
      : `(SELECT nth - 1 AS "${nthRow}", ${fields.join(', ')}
         FROM jsonb_array_elements(${parameter}::jsonb) WITH ORDINALITY AS given(e, nth))`;
  }

  /** Inserts the rows of the parameter. */
  insert(dialect: Dialect, parameter = first[dialect]): string {
    const columns = this.columns();
    return `INSERT INTO "${this.table}" (${columns}) SELECT ${columns} FROM ${this.from(dialect, parameter)} AS given`;
  }

  /**
   * For `Database.write`. On SQLite a statement for one row, with the values of the `leading` columns ahead: bound values
   * take a third of the time that reading them out of JSON takes.
   */
  insertPrepared(dialect: Dialect, leading: readonly string[] = []): string {
    if (dialect === 'postgresql') return this.insert(dialect);
    const names = [...leading.map((name) => `"${name}"`), this.columns()].join(', ');
    const values = Array.from({ length: leading.length + this.names.length }, () => '?').join(', ');
    return `INSERT INTO "${this.table}" (${names}) VALUES (${values})`;
  }

  /** Inserts the rows of the first parameter, without those that a unique key refuses. */
  insertAbsent(dialect: Dialect): string {
    // Without a WHERE, SQLite takes ON CONFLICT for the condition of a join.
    return `${this.insert(dialect)} WHERE TRUE ON CONFLICT DO NOTHING`;
  }

  /** Inserts the rows of the first parameter; where there is one with the same keys, it gets the other columns instead. */
  upsert(dialect: Dialect, keys: readonly C[]): string {
    const others = this.names.filter((name) => !keys.includes(name)).map((name) => `"${name}" = excluded."${name}"`);
    // Without a WHERE, SQLite takes ON CONFLICT for the condition of a join.
    return `${this.insert(dialect)} WHERE TRUE
      ON CONFLICT (${keys.map((name) => `"${name}"`).join(', ')}) DO UPDATE SET ${others.join(', ')}`;
  }

  /** For `Database.write`: the row with the same keys, which are the last columns, gets the others. */
  updatePrepared(dialect: Dialect, keys: readonly C[]): string {
    const others = this.names.slice(0, -keys.length);
    if (this.names.slice(-keys.length).join() !== keys.join()) throw new Error('The keys are not the last columns.');
    const set = (value: (name: C) => string) => others.map((name) => `"${name}" = ${value(name)}`).join(', ');
    if (dialect === 'sqlite')
      return `UPDATE "${this.table}" SET ${set(() => '?')} WHERE ${keys.map((name) => `"${name}" = ?`).join(' AND ')}`;
    const same = keys.map((name) => `"${this.table}"."${name}" = given."${name}"`).join(' AND ');
    return `UPDATE "${this.table}" SET ${set((name) => `given."${name}"`)} FROM ${this.from(dialect)} AS given WHERE ${same}`;
  }

  /** The rows as the parameter takes them. Throws text_not_allowed for text that not every database can hold. */
  text(rows: readonly Row<T, C>[]): string {
    return JSON.stringify(rows.map((row) => this.values(row)));
  }

  /** The rows for `Database.write`, made with pauses for other work. Throws text_not_allowed like `text`. */
  async prepare(dialect: Dialect, rows: readonly Row<T, C>[]): Promise<PreparedRows[]> {
    const pauses = new Pauses();
    const prepared: PreparedRows[] = [];
    for (const slice of slicesOf(rows)) {
      prepared.push(this.prepareSlice(dialect, slice));
      await pauses.next();
    }
    return prepared;
  }

  private prepareSlice(dialect: Dialect, rows: readonly Row<T, C>[]): PreparedRows {
    const count = rows.length;
    if (dialect === 'postgresql') return { count, text: this.text(rows) };
    return { count, rows: rows.map((row) => this.values(row).map(bindable)) };
  }

  private values(row: Row<T, C>) {
    return this.names.map((name, place) => toJson(row[name] as Value, name, this.types[place] ?? 'String'));
  }
}

/** Rows of the same columns in as few statements as take them. SQLite's are written one by one anyway. */
export function joined(slices: readonly PreparedRows[]): readonly PreparedRows[] {
  const all: PreparedRows[] = [];
  for (const slice of slices) {
    const last = all.at(-1);
    const fits = last !== undefined && 'text' in last && 'text' in slice && last.count + slice.count <= rowsAtOnce;
    if (!fits) all.push(slice);
    else
      all[all.length - 1] = {
        count: last.count + slice.count,
        text: `${last.text.slice(0, -1)},${slice.text.slice(1)}`,
      };
  }
  return all;
}

/** Rows of these columns of the table; left out: of all of them. */
export function bulkRows<T extends TableName, const C extends BulkColumn<T> = BulkColumn<T>>(
  table: T,
  names: readonly C[] = Object.keys(columnTypes[table]) as C[],
): BulkRows<T, C> {
  return new BulkRows(table, names);
}

/** The order in which rows are locked and written: by code units, the same on every daemon. */
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
