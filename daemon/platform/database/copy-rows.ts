/**
 * Copies the rows of every model from one database into another of the other kind. What was copied is noted in the target
 * together with the rows, so that a copy that broke off goes on; the note keeps daemons from starting on half a database.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { Refused } from '../refused.js';
import { type BulkRows, bulkRows, type TableName } from './bulk-rows.js';
import type { Database, DatabaseClient, Transaction } from './database.js';
import { type Dialect, written } from './dialect.js';
import { columnTypes } from './generated/columns.js';
import { pendingMigrations } from './migrate.js';
import { rowsAtOnce } from './slices.js';

/** While it exists, the database is half of another one. */
const copyNote = '_earshot_copy';
const createNote = `CREATE TABLE IF NOT EXISTS "${copyNote}" ("name" TEXT PRIMARY KEY NOT NULL, "after" TEXT NOT NULL)`;

type CopiedRow = Readonly<Record<string, unknown>>;
type AnyRows = BulkRows<TableName, never>;

interface CopiedTable {
  readonly name: TableName;
  /** Columns of the primary key. */
  readonly key: readonly string[];
  readonly rows: AnyRows;
}

export interface CopyProgress {
  readonly table: string;
  readonly done: number;
  readonly rows: number;
}

interface CopiedDatabase {
  readonly tables: number;
  readonly rows: number;
  /** Of all rows, whatever their order: the same on both sides. */
  readonly digest: string;
}

const Named = z.object({ name: z.string() });

/** Tables in an order in which each comes after those that it refers to. @param sqlite knows its own keys */
async function tablesOf(sqlite: Database): Promise<CopiedTable[]> {
  const names = async (from: string, more = ''): Promise<string[]> =>
    Named.array()
      .parse(await sqlite.read.$queryRawUnsafe(`SELECT ${from} ${more}`))
      .map(({ name }) => name);
  const waiting = new Map<TableName, string[]>();
  for (const table of Object.keys(columnTypes) as TableName[])
    waiting.set(table, await names('DISTINCT "table" AS "name" FROM', `pragma_foreign_key_list('${table}')`));
  const ordered: CopiedTable[] = [];
  while (waiting.size > 0) {
    const ready = [...waiting].filter(([, others]) => !others.some((other) => waiting.has(other as TableName)));
    if (ready.length === 0) throw new Error(`These tables refer to each other: ${[...waiting.keys()].join(', ')}.`);
    for (const [name] of ready) {
      waiting.delete(name);
      const key = await names('"name" FROM', `pragma_table_info('${name}') WHERE "pk" > 0 ORDER BY "pk"`);
      ordered.push({ name, key, rows: bulkRows(name) as unknown as AnyRows });
    }
  }
  return ordered;
}

/** Values as rows of a set are written from, whatever the driver makes of a column. */
function stored(value: unknown, type: string): unknown {
  if (value === null) return null;
  if (type.startsWith('DateTime')) return z.coerce.date().parse(value);
  if (type.startsWith('BigInt')) return z.coerce.bigint().parse(value);
  if (type.startsWith('Boolean')) return value === true || Number(value) === 1;
  return type.startsWith('String') ? value : Number(value);
}

/** Up to `rowsAtOnce` rows behind a key; null: from the beginning. */
async function pageOf(database: Database, table: CopiedTable, after: readonly unknown[] | null): Promise<CopiedRow[]> {
  const key = table.key.map((name) => `"${name}"`).join(', ');
  const where = after === null ? '' : `WHERE (${key}) > (${after.map(() => '?').join(', ')})`;
  const text = `SELECT ${table.rows.columns()} FROM "${table.name}" ${where} ORDER BY ${key} LIMIT ${rowsAtOnce}`;
  const rows = await database.read.$queryRawUnsafe<CopiedRow[]>(written(database.dialect, text), ...(after ?? []));
  const types = Object.entries(columnTypes[table.name] as Readonly<Record<string, string>>);
  return rows.map((row) => Object.fromEntries(types.map(([name, type]) => [name, stored(row[name], type)])));
}

const keyOf = ({ key }: CopiedTable, row: CopiedRow): unknown[] => key.map((name) => row[name]);

async function* pagesOf(
  database: Database,
  table: CopiedTable,
  from: readonly unknown[] | null = null,
): AsyncGenerator<CopiedRow[]> {
  for (let after = from; ; ) {
    const rows = await pageOf(database, table, after);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = keyOf(table, last);
  }
}

const count = async ({ read }: Database, { name }: CopiedTable): Promise<number> => {
  const [row] = await read.$queryRawUnsafe<{ count: unknown }[]>(`SELECT count(*) AS "count" FROM "${name}"`);
  return Number(row?.count ?? 0);
};

/** The sum of the hashes of the rows: databases sort text in ways of their own. */
async function digestOf(database: Database, table: CopiedTable): Promise<bigint> {
  let sum = 0n;
  for await (const rows of pagesOf(database, table))
    for (const row of rows) {
      const hash = createHash('sha256')
        .update(table.name)
        .update(table.rows.text([row as never]))
        .digest('hex');
      sum = BigInt.asUintN(256, sum + BigInt(`0x${hash}`));
    }
  return sum;
}

/** True if the database has the tables of this version. */
export const isOfThisVersion = async ({ read, dialect }: Database): Promise<boolean> => {
  const text = 'SELECT migration_name, checksum FROM "_prisma_migrations"';
  const applied = await read.$queryRawUnsafe<{ migration_name: string; checksum: string }[]>(text);
  return pendingMigrations(dialect, applied).length === 0;
};

/** True while a copy into the database has not ended. */
export const isHalfCopied = async (client: DatabaseClient, dialect: Dialect): Promise<boolean> => {
  const text =
    dialect === 'sqlite'
      ? `SELECT 1 FROM sqlite_master WHERE "name" = '${copyNote}'`
      : `SELECT 1 FROM pg_tables WHERE "tablename" = '${copyNote}' AND "schemaname" = current_schema()`;
  return (await client.$queryRawUnsafe<unknown[]>(text)).length > 0;
};

/** Throws Refused where somebody uses the target already. What migrations have put into an empty one goes. */
async function begin(to: Database, tables: readonly CopiedTable[]): Promise<void> {
  if (await isHalfCopied(to.read, to.dialect)) return;
  const tenants = await to.read.tenant.count();
  if (tenants > 0)
    throw new Refused(
      `The target already holds ${tenants === 1 ? 'a tenant' : `${tenants} tenants`}. Name an empty database.`,
    );
  await to.transaction(async (tx) => {
    for (const { name } of [...tables].reverse()) await tx.$executeRawUnsafe(`DELETE FROM "${name}"`);
    await tx.$executeRawUnsafe(createNote);
  });
}

async function writePage(
  tx: Transaction,
  dialect: Dialect,
  table: CopiedTable,
  rows: readonly CopiedRow[],
): Promise<void> {
  await tx.$executeRawUnsafe(table.rows.insertAbsent(dialect), table.rows.text(rows as never[]));
  const after = JSON.stringify(keyOf(table, rows.at(-1) ?? {}));
  const note = `INSERT INTO "${copyNote}" ("name", "after") VALUES (?, ?) ON CONFLICT ("name") DO UPDATE SET "after" = excluded."after"`;
  await tx.$executeRawUnsafe(written(dialect, note), table.name, after);
}

/** Where the copy of a table broke off; null: it has not begun. */
async function reached({ read, dialect }: Database, { name }: CopiedTable): Promise<unknown[] | null> {
  const text = written(dialect, `SELECT "after" AS "name" FROM "${copyNote}" WHERE "name" = ?`);
  const [row] = Named.array().parse(await read.$queryRawUnsafe(text, name));
  return row === undefined ? null : z.unknown().array().parse(JSON.parse(row.name));
}

/**
 * Both have the schema of this version, and nobody else writes to either. Throws Refused where the target is in use, and
 * where the two differ in the end.
 */
export async function copyRows(
  from: Database,
  to: Database,
  onProgress: (progress: CopyProgress) => void,
): Promise<CopiedDatabase> {
  const tables = await tablesOf(from.dialect === 'sqlite' ? from : to);
  await begin(to, tables);
  let all = 0;
  for (const table of tables) {
    const rows = await count(from, table);
    const after = await reached(to, table);
    let done = after === null ? 0 : await count(to, table);
    all += rows;
    onProgress({ table: table.name, done, rows });
    for await (const page of pagesOf(from, table, after)) {
      await to.transaction((tx) => writePage(tx, to.dialect, table, page));
      done += page.length;
      onProgress({ table: table.name, done, rows });
    }
  }
  const digest = await requireAlike(from, to, tables);
  await to.transaction(async (tx) => tx.$executeRawUnsafe(`DROP TABLE "${copyNote}"`));
  return { tables: tables.length, rows: all, digest };
}

/** What the source changed between two attempts is copied again by the next one. */
async function requireAlike(from: Database, to: Database, tables: readonly CopiedTable[]): Promise<string> {
  const differing: string[] = [];
  let sum = 0n;
  for (const table of tables) {
    const [source, copied] = [await digestOf(from, table), await digestOf(to, table)];
    if (source !== copied) differing.push(table.name);
    sum = BigInt.asUintN(256, sum + source);
  }
  if (differing.length === 0) return sum.toString(16).padStart(64, '0');
  await to.transaction(async (tx) => {
    for (const { name } of [...tables].reverse()) await tx.$executeRawUnsafe(`DELETE FROM "${name}"`);
    await tx.$executeRawUnsafe(`DELETE FROM "${copyNote}"`);
  });
  throw new Refused(
    `The two differ in ${differing.join(', ')}: the source was used between two attempts. The target is empty again: copy once more.`,
  );
}
