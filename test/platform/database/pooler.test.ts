/** A pooler before PostgreSQL: in transaction mode, LISTEN and locks need an address that leads past it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../../daemon/platform/database/database.js';
import { requireDirectAddress } from '../../../daemon/platform/database/direct-address.js';
import { participantRoutes } from '../../../src/contract/people/participants.js';
import { startDaemon } from '../../support/daemon.js';
import { hasPgBouncer, startPgBouncer } from '../../support/pgbouncer.js';
import { hasPostgresql, type PostgresqlServer, startPostgresql } from '../../support/postgresql.js';
import { earshotd } from '../../support/program.js';
import { openStream } from '../../support/stream.js';

const connections = 3;

describe.skipIf(!hasPostgresql)('the connections of a daemon', () => {
  it('are as many as the setting says', async () => {
    const server = await startPostgresql();
    const database = await Database.connect(server.url, { connections });
    const asked = Array.from({ length: connections * 3 }, () => database.read.$queryRaw`SELECT pg_sleep(0.1)::text`);
    const pids = Promise.all(asked);
    const [row] = await database.read.$queryRaw<{ count: bigint }[]>`
      SELECT count(*) AS "count" FROM pg_stat_activity WHERE datname = current_database()`;
    await pids;
    expect(Number(row?.count)).toBe(connections);
    await database.close();
    await server.stop();
  });
});

describe.skipIf(!hasPostgresql || !hasPgBouncer)('behind PgBouncer', { timeout: 60_000 }, () => {
  let server: PostgresqlServer;
  let bouncer: Awaited<ReturnType<typeof startPgBouncer>>;
  beforeAll(async () => {
    server = await startPostgresql();
    bouncer = await startPgBouncer(server.url, 'transaction');
  });
  afterAll(async () => {
    bouncer.stop();
    await server.stop();
  });

  const addresses = (url: string, directUrl = url) => ({ url, directUrl, connections });

  it('an address of PostgreSQL, or of a pooler in session mode, will do', async () => {
    await requireDirectAddress(addresses(server.url));
    await requireDirectAddress(addresses(bouncer.url, server.url));
    await requireDirectAddress(addresses('file:somewhere'));
    const session = await startPgBouncer(server.url, 'session');
    await requireDirectAddress(addresses(session.url)).finally(() => session.stop());
  });

  it('the start and `doctor` say which setting gives the direct address', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'earshot-pooler-'));
    const env = { EARSHOT_PORT: '0', EARSHOT_MQTT_PORT: '0', EARSHOT_MEDIA_PORT: '0', DATABASE_URL: bouncer.url };
    const said =
      "DATABASE_URL leads to a pooler in transaction mode, such as PgBouncer. LISTEN and locks need PostgreSQL's own address: set EARSHOT_DATABASE_DIRECT_URL to it, and leave DATABASE_URL as it is.";
    for (const command of ['run', 'migrate']) {
      const { code, stderr } = await earshotd(folder, [command], { env });
      expect([code, stderr]).toEqual([1, `${said}\n`]);
    }
    const doctor = async (more = {}) => (await earshotd(folder, ['doctor'], { env: { ...env, ...more } })).stdout;
    expect(await doctor()).toContain(`problem  database     ${said}`);
    expect(await doctor({ EARSHOT_DATABASE_DIRECT_URL: `${bouncer.url}?application_name=direct` })).toContain(
      'EARSHOT_DATABASE_DIRECT_URL leads to',
    );
    expect(await doctor({ EARSHOT_DATABASE_DIRECT_URL: server.url })).toMatch(/^ok {7}database/m);
    rmSync(folder, { recursive: true });
  });

  it('daemons with a direct address hear of one another, and their transactions have limits', async () => {
    const settings = { DATABASE_URL: bouncer.url, EARSHOT_DATABASE_DIRECT_URL: server.url };
    const daemon = await startDaemon({ settings });
    const events = await openStream(
      `${daemon.url}/api/projects/${daemon.projectId}/events/stream?types=participant.created`,
      { 'X-API-Key': daemon.apiKey },
    );
    const database = await Database.connect(bouncer.url, { directUrl: server.url });
    const body = { externalUserId: 'ann' };
    await daemon.client.call(participantRoutes.create, { params: { projectId: daemon.projectId }, body });
    expect(await events.next()).toMatchObject({ data: { type: 'participant.created' } });
    const [limit] = await database.transaction(
      (tx) => tx.$queryRaw<{ value: string }[]>`SELECT current_setting('lock_timeout') AS "value"`,
    );
    expect(limit).toEqual({ value: '2500ms' });
    await database.close();
    await daemon.stop();
  });
});
