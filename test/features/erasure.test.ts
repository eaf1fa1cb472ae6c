/** Erasing a person, proved by looking for them wherever the daemon keeps anything. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { backupSqlite } from '../../daemon/database/backup.js';
import { challengeRoutes } from '../../src/contract/challenges.js';
import { gameplayRoutes } from '../../src/contract/gameplay.js';
import { gatheringInvitationRoutes } from '../../src/contract/gathering-invitations.js';
import { gatheringMemberRoutes } from '../../src/contract/gathering-members.js';
import { gatheringRoutes } from '../../src/contract/gatherings.js';
import { participantRecordRoutes } from '../../src/contract/participant-records.js';
import { participantRoutes } from '../../src/contract/participants.js';
import { reviewRoutes } from '../../src/contract/reviews.js';
import { sanctionRoutes } from '../../src/contract/sanctions.js';
import { sessionRoutes } from '../../src/contract/sessions.js';
import { tokenRoutes } from '../../src/contract/tokens.js';
import { webhookEventRoutes } from '../../src/contract/webhook-events.js';
import { webhookRoutes } from '../../src/contract/webhooks.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { eventually } from '../support/eventually.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { openStream } from '../support/stream.js';

const externalUserId = 'forgotten-"user"-77';
const words = ['Erika Musterfrau', 'unforgettable words'];
/** As it stands in JSON, and as it is. */
const traces = [...words, externalUserId, JSON.stringify(externalUserId).slice(1, -1)];
const recording = 'recording-of-erika.wav';

let daemon: TestDaemon;
let receiver: Receiver;
let id: string;
let sessionId: string;
const folder = mkdtempSync(join(tmpdir(), 'earshot-backup-'));
beforeAll(async () => {
  daemon = await startDaemon({ settings: { EARSHOT_OUTBOUND_ALLOW: '127.0.0.0/8' } });
  receiver = await startReceiver();
  receiver.answer = 200; // with a body, which echoes what came
});
afterAll(async () => {
  await daemon.stop();
  await receiver.stop();
  rmSync(folder, { recursive: true, force: true });
});

const params = () => ({ projectId: daemon.projectId });
const item = (itemId: string) => ({ ...params(), id: itemId });

/** Leaves a trace of the person everywhere. */
const leaveTraces = async () => {
  const { client } = daemon;
  await client.call(webhookRoutes.create, {
    params: params(),
    body: { url: receiver.url, secret: 'a long enough secret', events: ['*'] },
  });
  const answer = await fetch(`${daemon.url}/api/projects/${daemon.projectId}/participants`, {
    method: 'POST',
    headers: { 'X-API-Key': daemon.apiKey, 'Content-Type': 'application/json', 'Idempotency-Key': 'once' },
    body: JSON.stringify({ externalUserId, displayName: words[0], userData: { motto: words[1] } }),
  });
  ({ id } = participantRoutes.create.success.body.parse(await answer.json()));
  ({ id: sessionId } = await client.call(sessionRoutes.create, {
    params: params(),
    body: { title: 'Match', externalRoomId: 'arena', autoStart: false },
  }));
  const message = await client.call(sessionRoutes.say, {
    params: item(sessionId),
    body: { externalUserId, content: words[1] ?? '' },
  });
  mkdirSync(join(daemon.dataDir, 'audio'), { recursive: true });
  writeFileSync(join(daemon.dataDir, 'audio', recording), 'sound');
  onDatabase((db) => db.prepare('UPDATE "Message" SET "audioFile" = ? WHERE "id" = ?').run(recording, message.id));

  await client.call(participantRecordRoutes.addNote, { params: item(id), body: { text: words[1] ?? '' } });
  const sanction = { externalUserId, reason: words[1] ?? '', note: words[0] ?? '' };
  await client.call(sanctionRoutes.create, { params: params(), body: { ...sanction, type: 'human_review' } });
  const { id: muteId } = await client.call(sanctionRoutes.create, {
    params: params(),
    body: { ...sanction, type: 'mute', metadata: { said: words[1] ?? '' } },
  });
  await client.call(reviewRoutes.appeal, { params: item(muteId), body: { statement: words[1] ?? '' } });

  const other = await client.call(participantRoutes.create, { params: params(), body: { externalUserId: 'other' } });
  const gathering = await client.call(gatheringRoutes.create, {
    params: params(),
    body: { name: 'Lobby', ownerId: id },
  });
  await client.call(gatheringMemberRoutes.add, { params: item(gathering.id), body: { participantId: other.id } });
  const theirs = await client.call(gatheringRoutes.create, {
    params: params(),
    body: { name: 'L2', ownerId: other.id },
  });
  await client.call(gatheringInvitationRoutes.send, {
    params: item(theirs.id),
    body: { participantIds: [id] },
  });

  const { id: challengeId } = await client.call(challengeRoutes.create, {
    params: params(),
    body: { name: { en: 'Three' }, eventName: 'kill-enemy', goal: 3, autoActivated: true },
  });
  expect(challengeId).not.toBe('');
  await client.call(gameplayRoutes.sendEvent, {
    body: { user_id: externalUserId, event_name: 'kill-enemy', event_type: 'single', meta_data: { amount: 1 } },
  });
  await client.call(tokenRoutes.generateForProject, {
    params: params(),
    body: { roomId: 'arena', userId: externalUserId },
  });
  await client.call(sanctionRoutes.create, {
    params: params(),
    body: { ...sanction, type: 'temp_ban', duration: 3_600 },
  });
  await eventually(async () => {
    const states = (await deliveries()).map(({ status }) => status);
    expect(states.length).toBeGreaterThan(5);
    expect(states).not.toContain('pending');
  }, 20_000);
};

const deliveries = () =>
  daemon.client.call(webhookEventRoutes.list, { params: params(), query: { limit: 200, offset: 0 } });

function onDatabase<T>(work: (db: Database.Database) => T): T {
  const db = new Database(join(daemon.dataDir, 'earshot.db'));
  try {
    return work(db);
  } finally {
    db.close();
  }
}

/** Every table in which a text stands, with the traces that were found there. */
const found = (needles: readonly string[]): Record<string, string[]> =>
  onDatabase((db) => {
    const tables = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all() as string[];
    const held = tables.map((table) => {
      const text = JSON.stringify(db.prepare(`SELECT * FROM "${table}"`).all());
      const inner = (needle: string) => JSON.stringify(needle).slice(1, -1);
      return [table, needles.filter((needle) => text.includes(inner(needle)))] as const;
    });
    return Object.fromEntries(held.filter(([, traced]) => traced.length > 0));
  });

/** The database's files that hold the bytes of a trace, wherever in them. */
const inFiles = (): string[] =>
  ['earshot.db', 'earshot.db-wal'].filter((name) => {
    const bytes = readFileSync(join(daemon.dataDir, name));
    return traces.some((trace) => bytes.includes(trace));
  });

const inEventLog = async (): Promise<string> => {
  const stream = await openStream(`${daemon.url}/api/projects/${daemon.projectId}/events/stream?since=earliest`, {
    'X-API-Key': daemon.apiKey,
  });
  const frames: string[] = [];
  do frames.push(JSON.stringify((await stream.next()).data));
  while (!frames.at(-1)?.includes('participant.deleted'));
  stream.close();
  return frames.join('\n');
};

describe('DELETE …/participants/{id}', () => {
  it('leaves no trace of the person in any place, and keeps a banned one out', { timeout: 90_000 }, async () => {
    await leaveTraces();
    expect(inFiles()).toContain('earshot.db-wal');
    const before = Object.keys(found(traces));
    expect(before).toEqual(
      expect.arrayContaining([
        ...['Participant', 'ParticipantNote', 'Sanction', 'Review', 'Message', 'DomainEvent', 'WebhookPayload'],
        ...['WebhookAttempt', 'IdempotencyRecord', 'GatheringMember', 'GatheringInvitation', 'GameEvent'],
      ]),
    );

    await daemon.client.call(participantRoutes.remove, { params: item(id) });
    expect(inFiles()).toEqual([]);
    // The news of the deletion itself is delivered too.
    await eventually(
      async () => expect((await deliveries()).map(({ status }) => status)).not.toContain('pending'),
      20_000,
    );

    expect(found(traces)).toEqual({});
    // Events keep the id of what they are about; the receiver echoes the one that tells of the deletion.
    const kept = Object.keys(found([id]));
    expect(kept.filter((table) => !['DomainEvent', 'WebhookPayload', 'WebhookAttempt'].includes(table))).toEqual([]);
    expect(readdirSync(join(daemon.dataDir, 'audio'))).toEqual([]);
    const log = await inEventLog();
    for (const trace of traces) expect(log).not.toContain(trace);
    const webhookLog = JSON.stringify(
      await Promise.all(
        (await deliveries()).map((one) => daemon.client.call(webhookEventRoutes.get, { params: item(one.id) })),
      ),
    );
    for (const trace of traces) expect(webhookLog).not.toContain(trace);

    const backup = join(folder, 'fresh.db');
    await backupSqlite(join(daemon.dataDir, 'earshot.db'), backup);
    const bytes = readFileSync(backup);
    for (const trace of traces) expect(bytes.includes(trace)).toBe(false);

    const token = daemon.client.call(tokenRoutes.generateForProject, {
      params: params(),
      body: { roomId: 'arena', userId: externalUserId },
    });
    await expect(token).rejects.toMatchObject({ status: 403, code: 'participant_banned' });
    const lifted = await daemon.client.call(sanctionRoutes.liftErasedBans, { params: { ...params(), externalUserId } });
    expect(lifted).toEqual({ lifted: 1 });
  });
});
