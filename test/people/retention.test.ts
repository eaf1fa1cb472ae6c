/** Data kept for so many days is gone after them, from every table and every file. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { createLogger } from '../../daemon/platform/observability/logger.js';
import { unnotedJobs } from '../../daemon/platform/scheduler/jobs.js';
import { keepPersonalData } from '../../daemon/platform/scheduler/keep-personal-data.js';
import { challengeRoutes } from '../../src/contract/gameplay/challenges.js';
import { gameplayRoutes } from '../../src/contract/gameplay/gameplay.js';
import { playerRoutes } from '../../src/contract/gameplay/players.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { settingsRoutes } from '../../src/contract/projects/settings.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { webhookEventRoutes } from '../../src/contract/webhooks/webhook-events.js';
import { webhookRoutes } from '../../src/contract/webhooks/webhooks.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { inSqlite } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { hasPostgresql, type PostgresqlServer, startPostgresql } from '../support/postgresql.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { contentsOf, filesWith, tracesIn } from '../support/traces.js';
import { writeBeside } from '../support/write-beside.js';

const dayMs = 86_400_000;
const [old, young] = ['words of the day before', 'words of today'];
/** Rows that tell how a challenge stands. */
const told = (rows: readonly string[] = []): string[] => rows.filter((row) => row.includes('"new_challenge"'));
const recording = 'recording-of-old-words.wav';

let daemon: TestDaemon | null = null;
let receiver: Receiver | null = null;
let server: PostgresqlServer | null = null;
afterEach(async () => {
  await daemon?.stop();
  await receiver?.stop();
  await server?.stop();
  [daemon, receiver, server] = [null, null, null];
});

it('of one kind that cannot be removed keeps no other', async () => {
  const tried: string[] = [];
  const kinds = [
    { kind: 'the first', prune: () => Promise.reject(new Error('in the way')) },
    { kind: 'the second', prune: async (limit: number) => tried.push(`up to ${limit}`) },
  ];
  const log = createLogger('silent');
  const keeping = keepPersonalData(kinds, { dropLeftovers: async () => {} }, unnotedJobs(log), log);
  keeping.start();
  await keeping.stop();
  expect(tried).toEqual(['up to 200']);
});

it.for([
  { name: 'SQLite', here: true },
  { name: 'PostgreSQL', here: hasPostgresql },
])(
  'transcripts and game events outlive their days nowhere, on $name',
  { timeout: 120_000 },
  async ({ name, here }, { skip }) => {
    skip(!here, 'PostgreSQL is not installed here');
    let now = Date.now();
    receiver = await startReceiver();
    receiver.answer = 200; // with a body that echoes what came
    server = name === 'PostgreSQL' ? await startPostgresql() : null;
    const started = await startDaemon({
      now: () => new Date(now),
      settings: {
        EARSHOT_OUTBOUND_ALLOW: '127.0.0.0/8',
        EARSHOT_GAMEPLAY_RETENTION_DAYS: '2',
        ...(server === null ? inSqlite : { DATABASE_URL: server.url }),
      },
    });
    daemon = started;
    const url = started.databaseUrl;
    const { projectId } = started;
    const params = { projectId };
    await started.admin.call(settingsRoutes.update, { params, body: { transcriptRetentionDays: 2 } });
    await started.client.call(webhookRoutes.create, {
      params,
      body: { url: receiver.url, secret: 'a long enough secret', events: ['*'] },
    });
    const { id: sessionId } = await started.client.call(sessionRoutes.create, {
      params,
      body: { title: 'Match', externalRoomId: 'arena', autoStart: false },
    });
    const { id: challengeId } = await started.client.call(challengeRoutes.create, {
      params,
      body: { name: { en: 'Three' }, eventName: 'kill-enemy', goal: 30 },
    });
    for (const act of [playerRoutes.unlock, playerRoutes.activate])
      await started.client.call(act, { params: { ...params, userId: 'erika', id: challengeId } });
    const say = async (content: string, key: string): Promise<string> => {
      const response = await fetch(`${started.url}/api/projects/${projectId}/sessions/${sessionId}/messages`, {
        method: 'POST',
        headers: { 'X-API-Key': started.apiKey, 'Content-Type': 'application/json', 'Idempotency-Key': key },
        body: JSON.stringify({ externalUserId: 'erika', content }),
      });
      return sessionRoutes.say.success.body.parse(await response.json()).id;
    };
    const kill = (amount: number) =>
      started.client.call(gameplayRoutes.sendEvent, {
        body: { user_id: 'erika', event_name: 'kill-enemy', event_type: 'single', meta_data: { amount } },
      });
    const delivered = () =>
      eventually(async () => {
        const list = await started.client.call(webhookEventRoutes.list, { params, query: { limit: 200, offset: 0 } });
        expect(list.map(({ status }) => status)).not.toContain('pending');
      });

    const messageId = await say(old, 'first');
    mkdirSync(join(started.dataDir, 'audio'), { recursive: true });
    writeFileSync(join(started.dataDir, 'audio', recording), 'sound');
    await kill(7);
    await delivered();
    await writeBeside(url, 'UPDATE "Message" SET "audioFile" = ? WHERE "id" = ?', recording, messageId);
    const key = `INSERT INTO "RoomKey" VALUES (?, ?, 0, 'sealed', ?)`;
    await writeBeside(url, key, projectId, 'left by all', new Date(now).toISOString());
    await writeBeside(url, key, projectId, 'entered by nobody', null);
    const before = tracesIn(await contentsOf(url), [old]);
    expect(told((await contentsOf(url)).DomainEvent).length).toBeGreaterThan(2);
    expect(Object.keys(before).sort()).toEqual(
      expect.arrayContaining(['DomainEvent', 'IdempotencyRecord', 'Message', 'WebhookAttempt', 'WebhookPayload']),
    );

    now += 1.5 * dayMs;
    await started.restart();
    await say(young, 'second');
    await kill(5);
    await delivered();
    expect(Object.keys(tracesIn(await contentsOf(url), [old]))).toContain('Message');

    now += dayMs;
    await started.restart(); // the jobs run when a daemon starts, and every minute
    await eventually(async () => {
      const contents = await contentsOf(url);
      expect(tracesIn(contents, [old])).toEqual({});
      expect(contents.GameEvent).toHaveLength(1);
      expect(told(contents.WebhookPayload)).toHaveLength(1);
      expect(told(contents.DomainEvent)).toHaveLength(1);
    });
    const contents = await contentsOf(url);
    expect(Object.keys(tracesIn(contents, [young]))).toEqual(
      expect.arrayContaining(['DomainEvent', 'Message', 'WebhookPayload']),
    );
    if (server === null) {
      await eventually(() => expect(filesWith(started.dataDir, [old])).toEqual([]));
      expect(contents.RoomKey).toEqual([expect.stringContaining('entered by nobody')]);
      expect(readdirSync(join(started.dataDir, 'audio'))).toEqual([]);
    }
    const transcript = await started.client.call(sessionRoutes.messages, { params: { ...params, id: sessionId } });
    expect(transcript.map(({ content }) => content)).toEqual([young]);
    const people = await started.client.call(participantRoutes.list, { params, query: { limit: 10, offset: 0 } });
    expect(people.total).toBe(1);
  },
);
