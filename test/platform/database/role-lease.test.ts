import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RoleLease } from '../../../daemon/platform/database/role-lease.js';
import { eventually } from '../../support/eventually.js';
import { hasPostgresql, type PostgresqlServer, startPostgresql } from '../../support/postgresql.js';

const logger = { info: () => {}, warn: () => {} };
const times = { leaseMs: 1_500, giveUpMs: 1_000, lookMs: 100 };

describe.skipIf(!hasPostgresql)('a role that one daemon of a database has', () => {
  let server: PostgresqlServer;
  let operator: pg.Client;
  beforeAll(async () => {
    server = await startPostgresql();
    operator = new pg.Client({ connectionString: server.url });
    await operator.connect();
  });
  afterAll(async () => {
    await operator.end();
    await server.stop();
  });

  const daemon = (url: string, isWanted = true) =>
    new RoleLease(
      { dialect: 'postgresql', url: server.url },
      { role: 'voice', isWanted, url: () => url, logger, times },
    );

  it('is taken over when it is given back, and everybody sees by whom it is held', async () => {
    const [first, second, watcher] = [daemon('http://a'), daemon('http://b'), daemon('http://c', false)];
    for (const one of [first, second, watcher]) await one.start();
    expect([first.isHeld, second.isHeld, watcher.isHeld]).toEqual([true, false, false]);
    expect([second.url, watcher.url]).toEqual(['http://a', 'http://a']);
    await first.stop();
    await eventually(() => expect(second.isHeld).toBe(true));
    expect(second.isTakenOver).toBe(false);
    await eventually(() => expect(watcher.url).toBe('http://b'));
    await second.stop();
    await eventually(() => expect(watcher.problem).toMatch(/No running daemon of this database has the role voice/));
    await watcher.stop();
  });

  it('is given up by a daemon that cannot renew it, before another one has it', async () => {
    const [first, second] = [daemon('http://a'), daemon('http://b')];
    await first.start();
    const changes: string[] = [];
    first.onChange((isHeld) => void changes.push(`first ${isHeld ? 'has it' : 'gave it up'}`));
    second.onChange((isHeld) => void changes.push(`second ${isHeld ? 'has it' : 'gave it up'}`));
    await second.start();
    // The first waits for the row from now on, as one that is cut off waits for an answer.
    await operator.query('BEGIN');
    await operator.query('SELECT 1 FROM "RoleLease" FOR UPDATE');
    await eventually(() => expect(first.isHeld).toBe(false));
    await operator.query(`UPDATE "RoleLease" SET "holder" = 'gone', "endsAt" = "endsAt" - interval '1 hour'`);
    const renewed = second.renew();
    await operator.query('COMMIT');
    await renewed;
    await eventually(() => expect([first.isHeld, second.isHeld].filter(Boolean)).toHaveLength(1));
    expect(changes[0]).toBe('first gave it up');
    await Promise.all([first.stop(), second.stop()]);
  });

  it('is kept when the connection is lost and opened again', async () => {
    const [first, second] = [daemon('http://a'), daemon('http://b')];
    await first.start();
    const changes: boolean[] = [];
    first.onChange((isHeld) => void changes.push(isHeld));
    await second.start();
    await operator.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
    await eventually(() => expect(first.isHeld || second.isHeld).toBe(true));
    await Promise.all([first.stop(), second.stop()]);
  });

  it('needs no lease on SQLite', async () => {
    const lease = (isWanted: boolean) =>
      new RoleLease({ dialect: 'sqlite', url: 'file:any' }, { role: 'voice', isWanted, url: () => 'http://a', logger });
    const [one, without] = [lease(true), lease(false)];
    await Promise.all([one.start(), without.start()]);
    expect([one.isHeld, without.isHeld, one.problem, without.problem]).toEqual([true, false, null, null]);
    await Promise.all([one.stop(), without.stop()]);
    expect(one.isHeld).toBe(false);
  });
});
