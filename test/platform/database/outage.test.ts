/** While PostgreSQL is away: clients are told to come back, and nobody has to start the daemon again. */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountRoutes } from '../../../src/contract/identity/accounts.js';
import { participantRoutes } from '../../../src/contract/people/participants.js';
import { startDaemon, type TestDaemon } from '../../support/daemon.js';
import { DaemonProcess } from '../../support/daemon-process.js';
import { eventually } from '../../support/eventually.js';
import { hasPostgresql, type PostgresqlServer, startPostgresql } from '../../support/postgresql.js';

describe.skipIf(!hasPostgresql)('an outage of PostgreSQL', () => {
  let server: PostgresqlServer;
  let daemon: TestDaemon;
  let operator: pg.Client;
  let name: string;
  beforeAll(async () => {
    server = await startPostgresql();
    daemon = await startDaemon({ settings: { DATABASE_URL: server.url, EARSHOT_LOG_LEVEL: 'silent' } });
    const elsewhere = new URL(server.url);
    name = elsewhere.pathname.slice(1);
    elsewhere.pathname = '/postgres';
    operator = new pg.Client({ connectionString: elsewhere.href });
    await operator.connect();
  });
  afterAll(async () => {
    await operator.end();
    await daemon.stop();
    await server.stop();
  });

  const away = async () => {
    await operator.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    await operator.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
  };
  const back = () => operator.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
  const at = (path: string, body?: unknown) => () =>
    fetch(daemon.url + path.replace('{projectId}', daemon.projectId), {
      headers: { 'X-API-Key': daemon.apiKey, 'X-Project-Id': daemon.projectId, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });
  const asked: readonly (() => Promise<Response>)[] = [
    at(participantRoutes.list.path),
    at(participantRoutes.create.path, { externalUserId: 'bob', displayName: 'Bob' }),
    at('/api/v1/events', { user_id: 'bob', session_id: 'match', event_name: 'kill-enemy', meta_data: { amount: 1 } }),
  ];

  it('is told to clients as a refusal that passes, and is over without a new start', async () => {
    for (const ask of asked) expect((await ask()).status).toBeLessThan(500);
    await away();
    for (const ask of asked) {
      const answer = await ask();
      expect([answer.status, await answer.json()]).toMatchObject([503, { code: 'database_unavailable' }]);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    }
    expect((await fetch(`${daemon.url}/health/ready`)).status).toBe(503);
    expect((await fetch(`${daemon.url}/health/live`)).status).toBe(200);
    await back();
    for (const ask of asked) await eventually(async () => expect((await ask()).status).toBeLessThan(500));
    expect((await fetch(`${daemon.url}/health/ready`)).status).toBe(200);
  });

  it('has one line in the log when it begins and one when it has ended, however many requests meet it', async () => {
    const own = await startPostgresql();
    const process = new DaemonProcess({ DATABASE_URL: own.url });
    const { http } = await process.start();
    const logIn = () =>
      fetch(http + accountRoutes.loginCredentials.path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ email: `${randomUUID()}@game.example`, password: 'not the right password' }),
      });
    expect((await logIn()).status).toBe(401);
    const database = new URL(own.url).pathname.slice(1);
    await operator.query(`ALTER DATABASE ${database} ALLOW_CONNECTIONS false`);
    await operator.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [database]);
    for (let asked = 0; asked < 6; asked += 1) expect((await logIn()).status).toBe(503);
    const lines = (): { level: string; msg: string; part?: string }[] =>
      process.printed.flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));
    const states = () => lines().filter(({ part, msg }) => part === 'database' && /ready/.test(msg));
    await eventually(() => expect(states()).toMatchObject([{ level: 'error', msg: 'the daemon is not ready' }]));
    await operator.query(`ALTER DATABASE ${database} ALLOW_CONNECTIONS true`);
    await eventually(() =>
      expect(states()).toMatchObject([{ level: 'error' }, { level: 'info', msg: 'what had failed is ready again' }]),
    );
    expect(lines().filter(({ msg }) => msg === 'request failed')).toEqual([]);
    expect(lines().filter(({ msg }) => msg === 'request could not be served').length).toBeGreaterThanOrEqual(6);
    await process.dispose();
    await own.stop();
  });

  it('that has no room for events is told by readiness, and by nothing else once it has', async () => {
    const inside = new pg.Client({ connectionString: server.url });
    await inside.connect();
    const ready = async () => (await fetch(`${daemon.url}/health/ready`)).status;
    const create = at(participantRoutes.create.path, { externalUserId: 'ann', displayName: 'Ann' });
    expect(await ready()).toBe(200);
    // As a full disk says it: the position of the next event is given out, and its row finds no room.
    await inside.query(`CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$`);
    await inside.query('CREATE TRIGGER no_room BEFORE INSERT ON "DomainEvent" FOR EACH ROW EXECUTE FUNCTION no_room()');
    const answer = await create();
    expect([answer.status, await answer.json()]).toMatchObject([503, { code: 'database_unavailable' }]);
    await eventually(async () => expect(await ready()).toBe(503));
    await inside.query('DROP TRIGGER no_room ON "DomainEvent"');
    await eventually(async () => expect(await ready()).toBe(200));
    const { rows } = await inside.query('SELECT count(*)::int AS "count" FROM "DomainEvent"');
    expect((await create()).status).toBe(201);
    const { rows: after } = await inside.query('SELECT count(*)::int AS "count" FROM "DomainEvent"');
    expect(after[0].count).toBe(rows[0].count + 1);
    await inside.end();
  });
});
