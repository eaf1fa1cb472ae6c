/** Erasing people whose ids are ordinary words: what others said, did and are called stays. */

import { afterEach, expect, it } from 'vitest';
import { ingestRoutes } from '../../src/contract/ingest/ingest.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { personRoutes } from '../../src/contract/people/person.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { settingsRoutes } from '../../src/contract/projects/settings.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { webhookRoutes } from '../../src/contract/webhooks/webhooks.js';
import { sign } from '../../src/signing/signing.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { inSqlite } from '../support/database.js';
import { hasPostgresql, type PostgresqlServer, startPostgresql } from '../support/postgresql.js';
import { contentsOf } from '../support/traces.js';

let daemon: TestDaemon;
let server: PostgresqlServer | null = null;
afterEach(async () => {
  await daemon.stop();
  await server?.stop();
});

const ingest = async (resourceId: string, data: Record<string, unknown>): Promise<void> => {
  const params = { projectId: daemon.projectId };
  await daemon.admin.call(settingsRoutes.syncSecret, { params });
  const { secret } = await daemon.admin.call(settingsRoutes.secret, { params });
  const [project] = await daemon.admin.call(projectRoutes.list, {});
  const timestamp = new Date().toISOString();
  const body = JSON.stringify({ type: 'server.told', resourceId, source: 'fleet:server', timestamp, data });
  const signature = { 'X-Timestamp': timestamp, 'X-Signature': sign(secret, timestamp, body) };
  const headers = { 'Content-Type': 'application/json', 'X-Project-Id': project?.billingProjectId ?? '', ...signature };
  const answer = await fetch(`${daemon.url}${ingestRoutes.ingest.path}`, { method: 'POST', headers, body });
  expect(answer.status).toBe(201);
};

it.each([
  { kind: 'SQLite', here: true },
  { kind: 'PostgreSQL', here: hasPostgresql },
])('on $kind', { timeout: 60_000 }, async ({ kind, here }) => {
  if (!here) return;
  server = kind === 'PostgreSQL' ? await startPostgresql() : null;
  const stored: Record<string, string> = server === null ? inSqlite : { DATABASE_URL: server.url };
  daemon = await startDaemon({ settings: { EARSHOT_OUTBOUND_ALLOW: '127.0.0.0/8', ...stored } });
  const url = daemon.databaseUrl;
  const { client, projectId, apiKey } = daemon;
  const params = { projectId };
  // Nobody answers there, so that deliveries stay pending.
  await client.call(webhookRoutes.create, {
    params,
    body: { url: 'http://127.0.0.1:9/', secret: 'a long enough secret', events: ['*'] },
  });

  const started = await fetch(`${daemon.url}${sessionRoutes.create.path.replace('{projectId}', projectId)}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-Key': apiKey, 'Idempotency-Key': 'once' },
    body: JSON.stringify({ title: 'of others', externalRoomId: 'lobby' }),
  });
  expect(started.status).toBe(201);
  await ingest('level:lobby', { area: 'lobby', state: 'active', label: 'of others' });
  await ingest('server:1', { kicked: [{ player: 'lobby', because: 'of the erased' }] });
  await ingest('player:active', { label: 'of the erased' });
  for (const externalUserId of ['lobby', 'active'])
    await client.call(sanctionRoutes.create, {
      params,
      body: { externalUserId, type: 'warn', reason: 'of the erased' },
    });

  const kept = async () => {
    const tables = await contentsOf(url);
    const count = (table: string, text: string) => (tables[table] ?? []).filter((row) => row.includes(text)).length;
    return (text: string) => ['DomainEvent', 'WebhookPayload', 'IdempotencyRecord'].map((table) => count(table, text));
  };
  const before = (await kept())('of others');
  expect(before.every((count) => count > 0)).toBe(true);
  for (const user of ['lobby', 'active']) await client.call(personRoutes.erase, { params: { ...params, user } });
  const after = await kept();
  expect(after('of others')).toEqual(before);
  expect(after('of the erased')).toEqual([0, 0, 0]);
  expect(after('player:active')).toEqual([0, 0, 0]);
});
