/** On PostgreSQL words may be stored while their session is being deleted. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { eventually } from '../support/eventually.js';
import { hasPostgresql, type PostgresqlServer, startPostgresql } from '../support/postgresql.js';
import { contentsOf, tracesIn } from '../support/traces.js';

const said = 'words of the last moment';

describe.skipIf(!hasPostgresql)('deleting a session', () => {
  let server: PostgresqlServer;
  let daemon: TestDaemon;
  let other: pg.Client;
  beforeAll(async () => {
    server = await startPostgresql();
    daemon = await startDaemon({ settings: { DATABASE_URL: server.url } });
    other = new pg.Client({ connectionString: server.url });
    await other.connect();
  });
  afterAll(async () => {
    await other.end();
    await daemon.stop();
    await server.stop();
  });

  const waiting = async (count: number) =>
    eventually(async () => {
      const { rows } = await other.query('SELECT DISTINCT pid FROM pg_locks WHERE NOT granted');
      expect(rows).toHaveLength(count);
    });

  it('waits for what is being stored, and takes it along', async () => {
    const params = { projectId: daemon.projectId };
    const body = { title: 'Match', externalRoomId: 'arena', autoStart: false };
    const { id } = await daemon.client.call(sessionRoutes.create, { params, body });
    const item = { ...params, id };
    await daemon.client.call(participantRoutes.create, { params, body: { externalUserId: 'known' } });
    await other.query('BEGIN');
    await other.query('SELECT * FROM "StreamHead" FOR UPDATE'); // whoever stores an event waits from here on
    const saying = daemon.client.call(sessionRoutes.say, {
      params: item,
      body: { externalUserId: 'known', content: said },
    });
    await waiting(1);
    const removing = daemon.client.call(sessionRoutes.remove, { params: item });
    await waiting(2);
    await other.query('COMMIT');
    await Promise.all([saying, removing]);
    expect(tracesIn(await contentsOf(server.url), [said])).toEqual({});
  });
});
