/** Messages that are stored on PostgreSQL while their session is being deleted. */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

  /** A row like another one, but for these columns. */
  const copied = (table: string, like: { column: string; is: string }, but: Record<string, unknown>) =>
    other.query(
      `INSERT INTO "${table}" SELECT (jsonb_populate_record(t, $1::jsonb)).* FROM "${table}" AS t WHERE "${like.column}" = $2`,
      [JSON.stringify(but), like.is],
    );

  it('waits for what is being stored, and takes it along', async () => {
    const params = { projectId: daemon.projectId };
    const body = { title: 'Match', externalRoomId: 'arena', autoStart: false };
    const { id } = await daemon.client.call(sessionRoutes.create, { params, body });
    const message = await daemon.client.call(sessionRoutes.say, {
      params: { ...params, id },
      body: { externalUserId: 'ann', content: said },
    });
    const late = randomUUID();
    await other.query('BEGIN');
    await copied('Message', { column: 'id', is: message.id }, { id: late });
    const removing = daemon.client.call(sessionRoutes.remove, { params: { ...params, id } });
    await eventually(async () => {
      const { rows } = await other.query('SELECT pid FROM pg_locks WHERE NOT granted');
      expect(rows).toHaveLength(1);
    });
    const { rows } = await other.query('UPDATE "StreamHead" SET "position" = "position" + 1 RETURNING "position"');
    const payload = JSON.stringify({ action: 'created', data: { id: late, content: said } });
    const position = Number(rows[0].position);
    const event = { id: randomUUID(), position, resourceId: `message:${late}`, subjectUserId: 'ann', payload };
    await copied('DomainEvent', { column: 'resourceId', is: `message:${message.id}` }, event);
    await other.query('COMMIT');
    await removing;
    expect(tracesIn(await contentsOf(server.url), [said])).toEqual({});
  });
});
