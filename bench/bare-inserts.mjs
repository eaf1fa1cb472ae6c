// The reference of the bench of gatherings: Express routes that store as many rows as a gathering that is created, or ended, by a
// user, in one transaction, and do nothing else. The argument is the address of a PostgreSQL, or the path of a SQLite file.
import Database from 'better-sqlite3';
import express from 'express';
import pg from 'pg';

const address = process.argv[2];
const table = (type) => `CREATE TABLE "Bare" ("id" ${type} PRIMARY KEY, "owner" TEXT NOT NULL, "body" TEXT NOT NULL)`;
/** The gathering itself, its event, the audit entry with its target, and the entry's event. */
const rowsPerAct = 5;

async function storeIn(url) {
  if (!url.startsWith('postgresql:')) {
    const database = new Database(url);
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = FULL');
    database.exec(table('TEXT'));
    const insert = database.prepare('INSERT INTO "Bare" VALUES (?, ?, ?)');
    const all = database.transaction((rows) => {
      for (const row of rows) insert.run(...row);
    });
    return (rows) => all.immediate(rows);
  }
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  await pool.query('DROP TABLE IF EXISTS "Bare"');
  await pool.query(table('TEXT'));
  return async (rows) => {
    const client = await pool.connect();
    await client.query('BEGIN');
    for (const values of rows)
      await client.query({ name: 'insert', text: 'INSERT INTO "Bare" VALUES ($1, $2, $3)', values });
    await client.query('COMMIT');
    client.release();
  };
}

const store = await storeIn(address);
const app = express();
app.use(express.json());
const act = async (request, response) => {
  const body = JSON.stringify(request.body ?? {});
  await store(Array.from({ length: rowsPerAct }, () => [crypto.randomUUID(), 'bench', body]));
  response.json({ id: crypto.randomUUID() });
};
app.post('/gatherings', act);
app.post('/gatherings/:id/end', act);
const server = app.listen(0, '127.0.0.1', () =>
  process.send({ url: `http://127.0.0.1:${server.address().port}/gatherings` }),
);
process.once('SIGTERM', () => process.exit());
