/** Writers on PostgreSQL during an erasure: nothing about the person may be stored afterwards. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gatheringInvitationRoutes } from '../../src/contract/gatherings/gathering-invitations.js';
import { gatheringMemberRoutes } from '../../src/contract/gatherings/gathering-members.js';
import { gatheringRoutes } from '../../src/contract/gatherings/gatherings.js';
import { sanctionBatchRoutes } from '../../src/contract/moderation/sanction-batches.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { eventually } from '../support/eventually.js';
import { hasPostgresql, type PostgresqlServer, startPostgresql } from '../support/postgresql.js';
import { contentsOf, tracesIn } from '../support/traces.js';

describe.skipIf(!hasPostgresql)('a person who is being erased', () => {
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

  const waiting = (count: number) =>
    eventually(async () => {
      const { rows } = await other.query('SELECT DISTINCT pid FROM pg_locks WHERE NOT granted');
      expect(rows).toHaveLength(count);
    });

  it('is not sanctioned, invited or given a seat any more', async () => {
    const params = { projectId: daemon.projectId };
    const externalUserId = 'somebody-who-goes';
    const { id } = await daemon.client.call(participantRoutes.create, { params, body: { externalUserId } });
    const open = async (ownerId?: string) =>
      (await daemon.client.call(gatheringRoutes.create, { params, body: { name: 'Raid', ownerId } })).id;
    const [home, raid, guild] = [await open(id), await open(), await open()];
    await other.query('BEGIN');
    // In the middle of its transaction the erasure takes the person out of this one.
    await other.query('SELECT * FROM "Gathering" WHERE "id" = $1 FOR UPDATE', [home]);
    const erasing = daemon.client.call(participantRoutes.remove, { params: { ...params, id } });
    await waiting(1);
    const sanction = { type: 'warn', participantId: id } as const;
    const writing = Promise.allSettled([
      daemon.client.call(sanctionRoutes.create, { params, body: sanction }),
      daemon.client.call(sanctionBatchRoutes.apply, {
        params,
        body: { firstLine: 1, items: [sanction], dryRun: false },
      }),
      daemon.client.call(gatheringInvitationRoutes.send, {
        params: { ...params, id: raid },
        body: { participantIds: [id] },
      }),
      daemon.client.call(gatheringMemberRoutes.add, { params: { ...params, id: guild }, body: { participantId: id } }),
    ]);
    await waiting(5);
    await other.query('COMMIT');
    await erasing;
    const codes = (await writing).map((one) => (one.status === 'rejected' ? one.reason.code : 'done'));
    const unknown = 'participant_not_found';
    expect(codes).toEqual([unknown, 'sanction_batch_refused', unknown, unknown]);
    expect(tracesIn(await contentsOf(server.url), [externalUserId])).toEqual({});
  });
});
