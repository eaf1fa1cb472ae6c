/** A deleted session's transcript is gone from every table and file, also where other tables repeat it. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { webhookEventRoutes } from '../../src/contract/webhooks/webhook-events.js';
import { webhookRoutes } from '../../src/contract/webhooks/webhooks.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { onPostgresql } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { contentsOf, filesWith, tracesIn } from '../support/traces.js';
import { writeBeside } from '../support/write-beside.js';

const [said, kept] = ['words of the deleted session', 'words of the other session'];
const recording = 'recording-of-the-words.wav';
let daemon: TestDaemon;
let receiver: Receiver;
beforeEach(async () => {
  daemon = await startDaemon({ settings: { EARSHOT_OUTBOUND_ALLOW: '127.0.0.0/8' } });
  receiver = await startReceiver();
  receiver.answer = 200; // with a body that echoes what came
});
afterEach(async () => {
  await daemon.stop();
  await receiver.stop();
});

it('leaves nothing of what was said', { timeout: 60_000 }, async () => {
  const params = { projectId: daemon.projectId };
  const open = (externalRoomId: string, title: string) =>
    daemon.client.call(sessionRoutes.create, { params, body: { title, externalRoomId, autoStart: false } });
  const say = (id: string, content: string) =>
    daemon.client.call(sessionRoutes.say, { params: { ...params, id }, body: { externalUserId: 'erika', content } });
  await daemon.client.call(webhookRoutes.create, {
    params,
    body: { url: receiver.url, secret: 'a long enough secret', events: ['*'] },
  });
  const [deleted, other] = [await open('arena', said), await open('lobby', 'Match')];
  const lines = await Promise.all(Array.from({ length: 205 }, (_, line) => say(deleted.id, `${said} ${line}`)));
  await say(other.id, kept);
  await eventually(async () => {
    const query = { status: 'pending' as const };
    expect(await daemon.client.call(webhookEventRoutes.list, { params, query })).toEqual([]);
  });
  const url = daemon.databaseUrl;
  await writeBeside(url, 'UPDATE "Message" SET "audioFile" = ? WHERE "id" = ?', recording, lines[0]?.id ?? '');
  mkdirSync(join(daemon.dataDir, 'audio'), { recursive: true });
  writeFileSync(join(daemon.dataDir, 'audio', recording), 'sound');
  const before = Object.keys(tracesIn(await contentsOf(url), [said]));
  const index = onPostgresql ? [] : ['MessageWords', 'MessageWords_content']; // PostgreSQL has it in no table
  expect(before.sort()).toEqual([
    ...['DomainEvent', 'IdempotencyRecord', 'Message', ...index, 'Session', 'WebhookAttempt', 'WebhookPayload'],
  ]);

  await daemon.client.call(sessionRoutes.remove, { params: { ...params, id: deleted.id } });

  const after = await contentsOf(url);
  expect(tracesIn(after, [said])).toEqual({});
  expect(Object.keys(tracesIn(after, [kept]))).toEqual(expect.arrayContaining(['DomainEvent', 'Message']));
  expect(readdirSync(join(daemon.dataDir, 'audio'))).toEqual([]);
  await eventually(() => expect(filesWith(daemon.dataDir, [said])).toEqual([]));
  await expect(
    daemon.client.call(sessionRoutes.remove, { params: { ...params, id: deleted.id } }),
  ).rejects.toMatchObject({ code: 'session_not_found' });
});
