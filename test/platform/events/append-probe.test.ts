/** Readiness of the event log, and locks that an append asks of PostgreSQL. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appendProbe } from '../../../daemon/platform/events/append-probe.js';
import { participantRoutes } from '../../../src/contract/people/participants.js';
import { startDaemon, type TestDaemon } from '../../support/daemon.js';
import { eventually } from '../../support/eventually.js';
import { hasPostgresql, type PostgresqlServer, startPostgresql } from '../../support/postgresql.js';

describe('the probe of the event log', () => {
  it('tries once for everybody who asks meanwhile, and not again within a second', async () => {
    let tries = 0;
    const probe = appendProbe({
      tryAppend: async () => {
        tries += 1;
      },
    });
    expect(await Promise.all([probe.check(), probe.check()])).toEqual([null, null]);
    expect(await probe.check()).toBeNull();
    expect(tries).toBe(1);
  });

  it('tries again at once after a failure, which it passes on', async () => {
    const failure = new Error('disk full');
    let isFull = true;
    const probe = appendProbe({ tryAppend: () => (isFull ? Promise.reject(failure) : Promise.resolve()) });
    await expect(probe.check()).rejects.toBe(failure);
    isFull = false;
    expect(await probe.check()).toBeNull();
  });

  it('says so when an append hangs, with one try however often it is asked', async () => {
    let tries = 0;
    const probe = appendProbe({
      tryAppend: () => {
        tries += 1;
        return new Promise(() => {});
      },
    });
    expect(await probe.check()).toContain('no event could be appended in time');
    expect(await probe.check()).toContain('pg_locks');
    expect(tries).toBe(1);
  });
});

describe.skipIf(!hasPostgresql)('an event log that somebody else holds', () => {
  let server: PostgresqlServer;
  let daemon: TestDaemon;
  let other: pg.Client;
  beforeAll(async () => {
    server = await startPostgresql();
    daemon = await startDaemon({ settings: { DATABASE_URL: server.url, EARSHOT_LOG_LEVEL: 'silent' } });
    other = new pg.Client({ connectionString: server.url });
    await other.connect();
  });
  afterAll(async () => {
    await other.end();
    await daemon.stop();
    await server.stop();
  });

  const ready = async () => {
    const answer = await fetch(`${daemon.url}/health/ready`);
    return [answer.status, await answer.json()];
  };
  const create = (externalUserId: string) =>
    daemon.client.call(participantRoutes.create, { params: { projectId: daemon.projectId }, body: { externalUserId } });

  it('makes the daemon not ready, and lets one of its transactions wait for it', async () => {
    await other.query('BEGIN');
    await other.query('SELECT 1 FROM "StreamHead" FOR UPDATE');
    const created = Promise.all(['ann', 'bob', 'eve', 'joe'].map(create));
    await eventually(async () =>
      expect(await ready()).toMatchObject([
        503,
        { problems: [{ part: 'database', problem: expect.stringContaining('appended in time') }] },
      ]),
    );
    const waiting = `SELECT 1 FROM pg_stat_activity
      WHERE wait_event_type = 'Lock' AND datname = current_database() AND query LIKE '%StreamHead%'`;
    expect((await other.query(waiting)).rows).toHaveLength(1);
    await other.query('ROLLBACK');
    expect(await created).toHaveLength(4);
    await eventually(async () => expect((await ready())[0]).toBe(200));
  });
});
