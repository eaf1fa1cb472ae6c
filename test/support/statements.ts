/** Counts the statements that reach a database, at the border of its driver: with those of Prisma, BEGIN and COMMIT. */
import BetterSqlite from 'better-sqlite3';
import pg from 'pg';

type Method = (...values: unknown[]) => unknown;

const probe = new BetterSqlite(':memory:');
const sqliteStatement: object = Object.getPrototypeOf(probe.prepare('SELECT 1'));
probe.close();

const textOf = (query: unknown): string =>
  typeof query === 'object' && query !== null && 'text' in query ? String(query.text) : String(query);

/** Returns the texts of the statements that were begun during `work`, on every connection of this process. */
export async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const texts: string[] = [];
  const ends: (() => void)[] = [];
  const watch = (owner: object, name: string, text: (self: unknown, first: unknown) => string): void => {
    const original: Method = Reflect.get(owner, name);
    const watched: Method = function (this: unknown, ...values) {
      texts.push(text(this, values[0]));
      return original.apply(this, values);
    };
    Reflect.set(owner, name, watched);
    ends.push(() => Reflect.set(owner, name, original));
  };
  watch(pg.Client.prototype, 'query', (_, query) => textOf(query));
  for (const name of ['run', 'all', 'get', 'iterate'])
    watch(sqliteStatement, name, (statement) => (statement as { source: string }).source);
  try {
    await work();
  } finally {
    for (const end of ends) end();
  }
  return texts;
}
