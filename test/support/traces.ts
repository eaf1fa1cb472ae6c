/** Looks for traces of somebody in every table of a database and in every file of a data folder, whatever there is. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import pg from 'pg';
import { unpacked } from '../../daemon/platform/events/packed.js';

/** Table → the texts of all its columns, row by row. */
export type Contents = Readonly<Record<string, readonly string[]>>;

/** Every table, as it is now; `url` as DATABASE_URL has it. */
export const contentsOf = (url: string): Promise<Contents> =>
  url.startsWith('file:') ? sqliteContents(url.slice('file:'.length)) : postgresqlContents(url);

async function sqliteContents(path: string): Promise<Contents> {
  const database = new Database(path, { readonly: true });
  try {
    const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all() as string[];
    return Object.fromEntries(
      tables.map((table) => [table, database.prepare(`SELECT * FROM "${table}"`).safeIntegers().all().map(textOf)]),
    );
  } finally {
    database.close();
  }
}

async function postgresqlContents(url: string): Promise<Contents> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'",
    );
    const contents: Record<string, string[]> = {};
    for (const { name } of tables) contents[name] = (await client.query(`SELECT * FROM "${name}"`)).rows.map(textOf);
    return contents;
  } finally {
    await client.end();
  }
}

const textOf = (row: unknown): string =>
  Object.values(row as Record<string, unknown>)
    .map((value) => (value instanceof Date ? value.toISOString() : unpacked(String(value))))
    .join('\n');

/** A text as it is, as it stands in JSON, and as it stands in JSON within JSON. */
function formsOf(text: string): string[] {
  const once = JSON.stringify(text).slice(1, -1);
  return [...new Set([text, once, JSON.stringify(once).slice(1, -1)])];
}

/** Table → which of the traces stand in it. */
export function tracesIn(contents: Contents, traces: readonly string[]): Record<string, string[]> {
  const found = Object.entries(contents).map(([table, rows]) => {
    const there = traces.filter((trace) => formsOf(trace).some((form) => rows.some((row) => row.includes(form))));
    return [table, there] as const;
  });
  return Object.fromEntries(found.filter(([, there]) => there.length > 0));
}

/** The files below the folder that hold the bytes of a trace, or are named by it. */
export function filesWith(folder: string, traces: readonly string[]): string[] {
  const forms = traces.flatMap(formsOf);
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => {
    const path = join(folder, name);
    if (!existsSync(path) || !statSync(path).isFile()) return false; // sockets, and what is gone meanwhile
    const bytes = readFileSync(path);
    return forms.some((form) => name.includes(form) || bytes.includes(form));
  });
}

/** Rows of some projects: those that name one, and those that name none but something that is in one. */
export function rowsOfProjects(contents: Contents, projectIds: readonly string[]): Contents {
  const others = new Set(contents.Project?.map(firstOf).filter((id) => !projectIds.includes(id)));
  const ids = new Set(projectIds);
  const found = new Map<string, Set<string>>();
  for (let before = -1; before < ids.size; ) {
    before = ids.size;
    for (const [table, rows] of Object.entries(contents))
      for (const row of rows) {
        const values = row.split('\n');
        if (!values.some((value) => ids.has(value)) || values.some((value) => others.has(value))) continue;
        found.set(table, (found.get(table) ?? new Set()).add(row));
        // Whoever acts in one project may do so in another.
        if (table !== 'ApiKey' && isId.test(firstOf(row))) ids.add(firstOf(row));
      }
  }
  return Object.fromEntries([...found].map(([table, rows]) => [table, [...rows]]));
}

const firstOf = (row: string): string => row.split('\n', 1)[0] ?? '';
const isId = /^[0-9a-f]{8}-[0-9a-f]{4}-/;
