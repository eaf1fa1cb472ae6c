/**
 * Statements that are written out, run on SQLite's connection itself and prepared once. Prisma takes about ten times as
 * long for them, most of it outside the database. Values go in and come out as Prisma has them.
 */
import type BetterSqlite from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import { sqlTime } from './dialect.js';

/** Statements do not contain values or depend on how many rows there are, so few different ones are kept. */
const preparedMax = 500;

type AnyRow = Record<string, unknown>;

/** By the declared type of a column; values of other columns are returned as they are stored. */
const readers: Readonly<Record<string, (value: unknown) => unknown>> = {
  DATETIME: (value) => new Date(String(value)),
  BOOLEAN: Boolean,
  BIGINT: (value) => BigInt(Number(value)),
};

interface PreparedStatement {
  readonly statement: BetterSqlite.Statement<unknown[], AnyRow>;
  /** Columns whose values are converted. */
  readonly converted: readonly (readonly [name: string, read: (value: unknown) => unknown])[];
}

function bound(value: unknown): unknown {
  if (value instanceof Date) return sqlTime(value);
  return typeof value === 'boolean' ? Number(value) : value;
}

export class Statements {
  private readonly prepared = new LRUCache<string, PreparedStatement>({ max: preparedMax });

  constructor(private readonly connection: BetterSqlite.Database) {}

  /** The rows that the statement returns. */
  query(text: string, parameters: readonly unknown[]): AnyRow[] {
    const { statement, converted } = this.prepare(text);
    if (!statement.reader) {
      statement.run(...parameters.map(bound));
      return [];
    }
    const rows = statement.all(...parameters.map(bound));
    if (converted.length > 0) for (const row of rows) convert(row, converted);
    return rows;
  }

  /** Returns how many rows changed. */
  execute(text: string, parameters: readonly unknown[]): number {
    const { statement } = this.prepare(text);
    if (statement.reader) return statement.all(...parameters.map(bound)).length;
    return statement.run(...parameters.map(bound)).changes;
  }

  /** Runs the statement once for each row of values, in the types that SQLite stores. */
  executeEach(text: string, rows: Iterable<readonly unknown[]>): void {
    const { statement } = this.prepare(text);
    for (const row of rows) statement.run(...row);
  }

  private prepare(text: string): PreparedStatement {
    const known = this.prepared.get(text);
    if (known !== undefined) return known;
    // Whole numbers are held up to 2^53 - 1, wherever they come from.
    const statement = this.connection.prepare<unknown[], AnyRow>(text).safeIntegers(false);
    const columns = statement.reader ? statement.columns() : [];
    const converted = columns.flatMap(({ name, type }) => {
      const read = readers[type?.toUpperCase() ?? ''];
      return read === undefined ? [] : [[name, read] as const];
    });
    const prepared = { statement, converted };
    this.prepared.set(text, prepared);
    return prepared;
  }
}

function convert(row: AnyRow, converted: PreparedStatement['converted']): void {
  for (const [name, read] of converted) {
    const value = row[name];
    if (value !== null) row[name] = read(value);
  }
}
