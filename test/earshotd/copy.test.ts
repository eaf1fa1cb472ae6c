/** `earshotd copy` with the database of an earlier version, as a self-hoster moves it to PostgreSQL and back. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import BetterSqlite3 from 'better-sqlite3';
import pg from 'pg';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { migrate } from '../../daemon/platform/database/migrate.js';
import { systemClock } from '../../daemon/platform/time/clock.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { hasPostgresql, type PostgresqlServer, startPostgresql } from '../support/postgresql.js';
import { earshotd } from '../support/program.js';

const versions = join(import.meta.dirname, '../upgrades/versions');
const newest = '0077-150ee6bd';

/** Every row of every table of the models, as text. */
function rowsIn(path: string): Record<string, string[]> {
  const file = new BetterSqlite3(path, { readonly: true });
  file.defaultSafeIntegers();
  const names = file
    .prepare(
      `SELECT "name" FROM sqlite_master WHERE "type" = 'table' AND "name" NOT GLOB 'Message[IW]*' AND "name" NOT GLOB '*_*'`,
    )
    .pluck()
    .all() as string[];
  const rows = Object.fromEntries(
    names.map((name) => {
      const all = file.prepare(`SELECT * FROM "${name}"`).raw().all();
      return [
        name,
        all.map((row) => JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? `${value}` : value))).sort(),
      ];
    }),
  );
  file.close();
  return rows;
}

describe.skipIf(!hasPostgresql)('earshotd copy', () => {
  let data = '';
  let server: PostgresqlServer;
  let port = 0;
  beforeAll(async () => {
    port = await freePort();
  });
  beforeEach(async () => {
    data = mkdtempSync(join(tmpdir(), 'earshot-test-'));
    server = await startPostgresql({ empty: true });
    writeFileSync(join(data, 'earshot.db'), brotliDecompressSync(readFileSync(join(versions, `${newest}.db.br`))));
    copyFileSync(join(versions, `${newest}.key-ring.json`), join(data, 'key-ring.json'));
    await migrate(`file:${join(data, 'earshot.db')}`, systemClock);
  });
  afterEach(async () => {
    await server.stop();
    rmSync(data, { recursive: true, force: true });
  });

  const run = (args: readonly string[], through: readonly string[] = []) =>
    earshotd(data, args, { env: { EARSHOT_PORT: String(port), EARSHOT_MQTT_PORT: '0' }, through });
  const query = async <T extends pg.QueryResultRow>(text: string): Promise<T[]> => {
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    try {
      return (await client.query<T>(text)).rows;
    } finally {
      await client.end();
    }
  };

  it('has every row on the other side, and brings every row back', async () => {
    const file = join(data, 'earshot.db');
    const before = rowsIn(file);
    expect(Object.values(before).flat().length).toBeGreaterThan(500);
    const there = await run(['copy', '--to', server.url]);
    expect(there).toMatchObject({ code: 0, stderr: expect.stringContaining('Set DATABASE_URL to') });
    const back = join(data, 'back.db');
    const here = await run(['copy', '--from', server.url, '--to', `file:${back}`]);
    expect(here).toMatchObject({ code: 0, stdout: there.stdout });
    expect(rowsIn(back)).toEqual(before);
    expect(rowsIn(file)).toEqual(before);
    const again = await run(['copy', '--to', server.url]);
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('Name an empty database.') });
  });

  it('goes on where it broke off, and no daemon starts on the half', async () => {
    const before = rowsIn(join(data, 'earshot.db'));
    await migrate(server.url, systemClock);
    await query(
      `CREATE FUNCTION sleep() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(60); RETURN NEW; END'`,
    );
    await query('CREATE TRIGGER slow BEFORE INSERT ON "Message" FOR EACH ROW EXECUTE FUNCTION sleep()');
    const killed = run(['copy', '--to', server.url], ['timeout', '-s', 'KILL', '15']);
    const answer = await eventually(async () => {
      const refused = await fetch(`http://127.0.0.1:${port}/api/projects`);
      return { status: refused.status, after: refused.headers.get('retry-after'), body: await refused.json() };
    });
    expect(answer).toMatchObject({ status: 503, after: '30', body: { code: 'being_moved' } });
    expect((await killed).code).not.toBe(0);
    await query('DROP FUNCTION sleep CASCADE');

    const [half] = await query<{ count: string }>('SELECT count(*) FROM "_earshot_copy"');
    expect(Number(half?.count)).toBeGreaterThan(0);
    const started = await earshotd(data, ['run'], { env: { DATABASE_URL: server.url, EARSHOT_PORT: '0' } });
    expect(started).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('A copy into this database has not ended.'),
    });
    expect(await run(['copy', '--to', server.url])).toMatchObject({ code: 0 });
    expect(await run(['copy', '--from', server.url, '--to', `file:${join(data, 'back.db')}`])).toMatchObject({
      code: 0,
    });
    expect(rowsIn(join(data, 'back.db'))).toEqual(before);
  });

  it('says what is wrong with two of a kind, a password on the command line, and a daemon that runs', async () => {
    const wrong = async (...args: string[]) => {
      const { code, stderr } = await run(['copy', ...args]);
      expect(code).not.toBe(0);
      return stderr;
    };
    expect(await wrong('--to', `file:${join(data, 'other.db')}`)).toContain('One of the two is a SQLite file');
    expect(await wrong('--to', 'postgresql://me:secret@127.0.0.1/x')).toContain('write it into a private file');
    const used = new BetterSqlite3(join(data, 'earshotd.lock'));
    used.exec('BEGIN IMMEDIATE');
    expect(await wrong('--to', server.url)).toContain('Stop it first');
    used.close();
  });
});
