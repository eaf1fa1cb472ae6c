import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { challengeRoutes } from '../../src/contract/gameplay/challenges.js';
import { playerRoutes } from '../../src/contract/gameplay/players.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { apiKeyRoutes } from '../../src/contract/identity/api-keys.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { projectRoutes, projectUserRoutes } from '../../src/contract/projects/projects.js';
import { settingsRoutes } from '../../src/contract/projects/settings.js';
import { scopeNames } from '../../src/contract/scopes.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { webhookRoutes } from '../../src/contract/webhooks/webhooks.js';
import { administrator, DaemonProcess } from '../support/daemon-process.js';
import { onPostgresql } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { rowsBeside, writeBeside } from '../support/write-beside.js';

const manyRows = 2_000;
const process = new DaemonProcess();
let admin: EarshotClient;
beforeAll(async () => {
  await process.start();
  const { accessToken } = await new EarshotClient({ baseUrl: process.url }).call(accountRoutes.loginCredentials, {
    body: administrator,
  });
  admin = new EarshotClient({ baseUrl: process.url, credential: { kind: 'bearer', token: accessToken } });
});
afterAll(() => process.dispose());

/** Counts the rows of each table that name the project in any column. */
async function rowsOf(projectId: string): Promise<Record<string, number>> {
  const columns = onPostgresql
    ? `SELECT "table_name" AS "table", "column_name" AS "column" FROM information_schema.columns WHERE "table_schema" = 'public'`
    : `SELECT m.name AS "table", c.name AS "column" FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type = 'table'`;
  const counts: Record<string, number> = {};
  for (const { table, column } of await rowsBeside(process.databaseUrl, columns)) {
    if (!['projectId', 'billingProjectId'].includes(String(column)) && `${table}.${column}` !== 'Project.id') continue;
    const query = `SELECT count(*) AS "count" FROM "${table}" WHERE "${column}" = ?`;
    const [row] = await rowsBeside(process.databaseUrl, query, projectId);
    counts[`${table}.${column}`] = Number(row?.count);
  }
  return counts;
}
const held = (rows: Record<string, number>) =>
  Object.fromEntries(Object.entries(rows).filter(([, count]) => count > 0));

/** The audit log goes on to say what was done to a project that is gone. */
const isKept = (column: string) => /^Audit(Entry|Target)\./.test(column);

/** What moderation did is counted at any time. */
const isCounted = (column: string) => /^(ModerationDay|Cursor)\./.test(column);

/** Deliveries go on meanwhile, and are told as events. */
const isGrowing = (column: string) => /^(DomainEvent|WebhookEvent|WebhookPayload)\./.test(column);
const settled = (rows: Record<string, number>) =>
  Object.fromEntries(
    Object.entries(held(rows))
      .filter(([column]) => !isCounted(column))
      .map(([column, count]) => [column, isGrowing(column) ? 'some' : count]),
  );

/** A project that has been used, with the recording of one message and a crowd of participants. */
async function usedProject(name: string): Promise<{ projectId: string; recording: string }> {
  const { id: projectId } = await admin.call(projectRoutes.create, { body: { name } });
  const params = { projectId };
  await admin.call(settingsRoutes.put, { params, body: { tokenProvider: 'embedded' } });
  await admin.call(projectUserRoutes.invite, { params, body: { email: 'guest@example.com', role: 'viewer' } });
  const body = { name: 'k', scopes: [...scopeNames], projectId };
  const { key } = await admin.call(apiKeyRoutes.create, { body });
  const game = new EarshotClient({ baseUrl: process.url, credential: { kind: 'apiKey', key } });
  const hook = { url: 'https://203.0.113.9/hook', secret: 'a secret of some length', events: ['*'] };
  await game.call(webhookRoutes.create, { params, body: hook });
  await game.call(participantRoutes.create, { params, body: { externalUserId: 'u1' } });
  await game.call(sanctionRoutes.create, { params, body: { type: 'warn', externalUserId: 'u1' } });
  const session = await game.call(sessionRoutes.create, {
    params,
    body: { title: 'S', externalRoomId: 'room', autoStart: false },
  });
  const message = await game.call(sessionRoutes.say, {
    params: { ...params, id: session.id },
    body: { externalUserId: 'u1', content: 'hello' },
  });
  const challenge = await game.call(challengeRoutes.create, {
    params,
    body: { name: { en: 'C' }, eventName: 'kill-enemy', goal: 3 },
  });
  await game.call(playerRoutes.unlock, { params: { ...params, userId: 'u1', id: challenge.id } });
  const recording = `${message.id}.wav`;
  mkdirSync(join(process.dataDir, 'audio'), { recursive: true });
  writeFileSync(join(process.dataDir, 'audio', recording), 'RIFF');
  const url = process.databaseUrl;
  await writeBeside(url, 'UPDATE "Message" SET "audioFile" = ? WHERE "id" = ?', recording, message.id);
  await writeBeside(
    url,
    `INSERT INTO "Participant"
       ("id", "tenantId", "projectId", "externalUserId", "displayName", "searchKey", "userData", "joinedAt", "updatedAt")
     WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${manyRows})
     SELECT p."id" || i, p."tenantId", p."projectId", p."externalUserId" || '-' || i, p."displayName", p."searchKey",
       p."userData", p."joinedAt", p."updatedAt" FROM n, "Participant" p WHERE p."projectId" = ?`,
    projectId,
  );
  return { projectId, recording };
}

it('removes everything of a deleted project, and nothing else, although the daemon is killed on the way', async () => {
  const [doomed, kept] = [await usedProject('doomed'), await usedProject('kept')];
  const before = await rowsOf(kept.projectId);
  expect(settled(await rowsOf(doomed.projectId))).toEqual(settled(before));
  expect(Object.keys(held(before)).length).toBeGreaterThan(12);

  await admin.call(projectRoutes.remove, { params: { projectId: doomed.projectId } });
  const list = await admin.call(projectRoutes.list, {});
  expect(list.map(({ name }) => name).sort()).toEqual(['default', 'kept']);
  await process.end('SIGKILL');
  await process.start();

  await eventually(async () => {
    const left = Object.keys(held(await rowsOf(doomed.projectId)));
    expect(left.filter((column) => !isKept(column))).toEqual([]);
  }, 30_000);
  expect(settled(await rowsOf(kept.projectId))).toEqual(settled(before));
  expect(readdirSync(join(process.dataDir, 'audio'))).toEqual([kept.recording]);
}, 240_000);
