/** While PostgreSQL stands still: its processes live, its connections are open, and nothing is answered. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { participantRoutes } from '../../../src/contract/people/participants.js';
import { startDaemon, type TestDaemon } from '../../support/daemon.js';
import { eventually } from '../../support/eventually.js';
import { hasPostgresql, type PostgresqlServer, startPostgresql } from '../../support/postgresql.js';

/** Ids of the server that the suites of this process share, and of the processes that it has started. */
async function processesOf(url: string): Promise<number[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ data_directory: string }>('SHOW data_directory');
  await client.end();
  const server = Number(readFileSync(join(rows[0]?.data_directory ?? '', 'postmaster.pid'), 'utf8').split('\n')[0]);
  const parentOf = (pid: string): number => {
    try {
      return Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
    } catch {
      return 0; // it has ended meanwhile
    }
  };
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(name) === server);
  return [server, ...children.map(Number)];
}

describe.skipIf(!hasPostgresql)('a PostgreSQL that stands still', { timeout: 120_000 }, () => {
  let server: PostgresqlServer;
  let daemon: TestDaemon;
  let frozen: number[] = [];
  const thaw = () => {
    for (const pid of frozen.splice(0)) process.kill(pid, 'SIGCONT');
  };
  beforeAll(async () => {
    server = await startPostgresql();
    daemon = await startDaemon({ settings: { DATABASE_URL: server.url, EARSHOT_LOG_LEVEL: 'silent' } });
  });
  afterAll(async () => {
    thaw();
    await daemon.stop();
    await server.stop();
  });

  const at = (path: string, body?: unknown) => async () => {
    const begun = performance.now();
    const answer = await fetch(daemon.url + path.replace('{projectId}', daemon.projectId), {
      headers: { 'X-API-Key': daemon.apiKey, 'X-Project-Id': daemon.projectId, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });
    const { code } = (await answer.json()) as { code?: string };
    return { status: answer.status, code, tookMs: performance.now() - begun };
  };
  const asked = [
    at(participantRoutes.list.path),
    at(participantRoutes.create.path, { externalUserId: 'bob', displayName: 'Bob' }),
    at('/api/v1/events', { user_id: 'bob', session_id: 'match', event_name: 'kill-enemy', meta_data: { amount: 1 } }),
  ];

  it('is told within five seconds, then at once, and is over without a new start', async () => {
    for (const ask of asked) expect((await ask()).status).toBeLessThan(500);
    frozen = await processesOf(server.url);
    for (const pid of frozen) process.kill(pid, 'SIGSTOP');
    for (const mostMs of [5_000, 5_000]) {
      // More than there are connections.
      const answers = await Promise.all(Array.from({ length: 10 }, () => asked.map((ask) => ask())).flat());
      for (const answer of answers) {
        expect(answer).toMatchObject({ status: 503, code: 'database_unavailable' });
        expect(answer.tookMs).toBeLessThan(mostMs);
      }
    }
    thaw();
    for (const ask of asked) await eventually(async () => expect((await ask()).status).toBeLessThan(500), 10_000);
  });

  it('is not one that works on a long statement', async () => {
    const { Database } = await import('../../../daemon/platform/database/database.js');
    const database = await Database.connect(server.url);
    await database.read.$queryRawUnsafe('SELECT 1 FROM pg_sleep(6)');
    await database.close();
  });
});
