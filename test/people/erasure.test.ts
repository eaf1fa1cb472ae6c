/** Erasing a person, proved by looking for them wherever the daemon keeps anything. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { backupSqlite } from '../../daemon/platform/database/backup.js';
import { challengeRoutes } from '../../src/contract/gameplay/challenges.js';
import { gameplayRoutes } from '../../src/contract/gameplay/gameplay.js';
import { playerRoutes } from '../../src/contract/gameplay/players.js';
import { gatheringInvitationRoutes } from '../../src/contract/gatherings/gathering-invitations.js';
import { gatheringMemberRoutes } from '../../src/contract/gatherings/gathering-members.js';
import { gatheringRoutes } from '../../src/contract/gatherings/gatherings.js';
import { ingestRoutes } from '../../src/contract/ingest/ingest.js';
import { reviewRoutes } from '../../src/contract/moderation/reviews.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { blockRoutes } from '../../src/contract/people/blocks.js';
import { participantRecordRoutes } from '../../src/contract/people/participant-records.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { PersonRecord, type PersonRecordKind, personExportRoutes } from '../../src/contract/people/person-export.js';
import { personNoticeRoutes } from '../../src/contract/people/person-notices.js';
import { annotationRoutes } from '../../src/contract/plugins/annotations.js';
import { pluginInstanceRoutes } from '../../src/contract/plugins/plugins.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { settingsRoutes } from '../../src/contract/projects/settings.js';
import { orderRoutes } from '../../src/contract/reports/orders.js';
import { tokenRoutes } from '../../src/contract/rooms/tokens.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { webhookEventRoutes } from '../../src/contract/webhooks/webhook-events.js';
import { webhookRoutes } from '../../src/contract/webhooks/webhooks.js';
import { sign } from '../../src/signing/signing.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { inSqlite } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { hasPostgresql, type PostgresqlServer, startPostgresql } from '../support/postgresql.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { openStream } from '../support/stream.js';
import { contentsOf, filesWith, tracesIn } from '../support/traces.js';
import { writeBeside } from '../support/write-beside.js';

const externalUserId = 'forgotten-"user"-77';
const words = ['Erika Musterfrau', 'unforgettable words', 'erika@example.com'];
const [name = '', said = '', email = ''] = words;
const traces = [...words, externalUserId];
const recording = 'recording-of-erika.wav';

let daemon: TestDaemon;
let receiver: Receiver;
let server: PostgresqlServer | null = null;
let url: string;
let projectId: string;
let id: string;
let sessionId: string;
let folder: string;
const start = async (kind: string) => {
  folder = mkdtempSync(join(tmpdir(), 'earshot-backup-'));
  server = kind === 'PostgreSQL' ? await startPostgresql() : null;
  const database: Record<string, string> = server === null ? inSqlite : { DATABASE_URL: server.url };
  daemon = await startDaemon({ settings: { EARSHOT_OUTBOUND_ALLOW: '127.0.0.0/8', ...database } });
  url = daemon.databaseUrl;
  ({ id: projectId } = await daemon.admin.call(projectRoutes.create, { body: { name: 'Game' } }));
  await daemon.admin.call(settingsRoutes.put, { params: params(), body: { tokenProvider: 'embedded' } });
  receiver = await startReceiver();
  receiver.answer = 200; // with a body, which echoes what came
};
afterEach(async () => {
  await daemon.stop();
  await receiver.stop();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const params = () => ({ projectId });
const item = (itemId: string) => ({ ...params(), id: itemId });

/** Leaves a trace of the person everywhere. */
const leaveTraces = async () => {
  const { client } = daemon;
  await client.call(webhookRoutes.create, {
    params: params(),
    body: { url: receiver.url, secret: 'a long enough secret', events: ['*'] },
  });
  const answer = await fetch(`${daemon.url}/api/projects/${projectId}/participants`, {
    method: 'POST',
    headers: { 'X-API-Key': daemon.apiKey, 'Content-Type': 'application/json', 'Idempotency-Key': 'once' },
    body: JSON.stringify({ externalUserId, displayName: name, userData: { motto: said, mail: email } }),
  });
  ({ id } = participantRoutes.create.success.body.parse(await answer.json()));
  ({ id: sessionId } = await client.call(sessionRoutes.create, {
    params: params(),
    body: { title: 'Match', externalRoomId: 'arena', autoStart: false },
  }));
  const message = await client.call(sessionRoutes.say, {
    params: item(sessionId),
    body: { externalUserId, content: said },
  });
  mkdirSync(join(daemon.dataDir, 'audio'), { recursive: true });
  writeFileSync(join(daemon.dataDir, 'audio', recording), 'sound');
  await onDatabase(`UPDATE "Message" SET "audioFile" = '${recording}' WHERE "id" = '${message.id}'`);

  await summarised();
  await client.call(participantRecordRoutes.addNote, { params: item(id), body: { text: said } });
  const notice = { text: said, externalUserIds: [externalUserId] };
  await client.call(personNoticeRoutes.notify, { params: params(), body: notice });
  for (const [user, blockedUserId] of [
    [externalUserId, 'blocked'],
    ['blocker', externalUserId],
  ] as const)
    await client.call(blockRoutes.create, { params: { ...params(), user }, body: { blockedUserId } });
  const sanction = { externalUserId, reason: said, note: name };
  await client.call(sanctionRoutes.create, { params: params(), body: { ...sanction, type: 'human_review' } });
  const { id: muteId } = await client.call(sanctionRoutes.create, {
    params: params(),
    body: { ...sanction, type: 'mute', metadata: { said: said } },
  });
  await client.call(reviewRoutes.appeal, { params: item(muteId), body: { statement: said } });

  await client.call(orderRoutes.create, {
    params: params(),
    body: {
      ...{ kind: 'act', authority: 'Amtsgericht Bonn', memberState: 'DE', reference: '12 Gs 3/26', category: 'hate' },
      ...{ legalGround: 'Law', externalUserId },
    },
  });

  const other = await client.call(participantRoutes.create, { params: params(), body: { externalUserId: 'other' } });
  const gathering = await client.call(gatheringRoutes.create, {
    params: params(),
    body: { name: 'Lobby', ownerId: id, inviterName: name, inviterEmail: email },
  });
  // One that they have handed over goes by their name still.
  const handedOver = await client.call(gatheringRoutes.create, {
    params: params(),
    body: { name: 'Guild', ownerId: id, inviterName: name, inviterEmail: email },
  });
  await client.call(gatheringMemberRoutes.add, { params: item(handedOver.id), body: { participantId: other.id } });
  const members = await client.call(gatheringMemberRoutes.list, { params: item(handedOver.id) });
  const memberId = members.find(({ participantId }) => participantId === id)?.id ?? '';
  await client.call(gatheringMemberRoutes.remove, { params: { ...item(handedOver.id), memberId } });
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
    body: { name: { en: 'Three' }, eventName: 'kill-enemy', goal: 3 },
  });
  for (const act of [playerRoutes.unlock, playerRoutes.activate])
    await client.call(act, { params: { ...params(), userId: externalUserId, id: challengeId } });
  const game = await daemon.clientWith(['gameplay'], projectId);
  await game.call(gameplayRoutes.sendEvent, {
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
  await ingest('server:1', { kicked: [{ player: externalUserId, because: said }] });
  await ingest(`player:${externalUserId}`, { mail: email });
  await eventually(async () => {
    const states = (await deliveries()).map(({ status }) => status);
    expect(states.length).toBeGreaterThan(5);
    expect(states).not.toContain('pending');
  }, 20_000);
};

/** Plugins tell of the person: of a message, and of a whole session. */
const summarised = async () => {
  const { client } = daemon;
  const install = (pluginId: string, settings: Record<string, string[]>) =>
    client.call(pluginInstanceRoutes.create, { params: params(), body: { pluginId, settings } });
  await install('toxicity', { words: ['bridge'] });
  await install('summary', {});
  const session = await client.call(sessionRoutes.create, {
    params: params(),
    body: { title: 'Evening', externalRoomId: 'bridge', autoStart: false },
  });
  const content = `${said} of ${name}, spoken beside the northern bridge`;
  await client.call(sessionRoutes.say, { params: item(session.id), body: { externalUserId, content } });
  await client.call(sessionRoutes.stop, { params: item(session.id) });
  await eventually(async () => {
    const annotations = await client.call(annotationRoutes.ofSession, { params: { sessionId: session.id } });
    expect(annotations.map(({ type }) => type)).toEqual(['summary']);
    const [message] = await client.call(sessionRoutes.messages, { params: item(session.id) });
    expect(message?.annotations?.map(({ type }) => type)).toEqual(['toxicity']);
  }, 20_000);
};

const deliveries = () =>
  daemon.client.call(webhookEventRoutes.list, { params: params(), query: { limit: 200, offset: 0 } });

/** A platform service tells of the person. */
async function ingest(resourceId: string, data: Record<string, unknown>): Promise<void> {
  await daemon.admin.call(settingsRoutes.syncSecret, { params: params() });
  const { secret } = await daemon.admin.call(settingsRoutes.secret, { params: params() });
  const { billingProjectId = '' } =
    (await daemon.admin.call(projectRoutes.list, {})).find((one) => one.id === projectId) ?? {};
  const timestamp = new Date().toISOString();
  const body = JSON.stringify({ type: 'server.told', resourceId, source: 'fleet:server', timestamp, data });
  const response = await fetch(`${daemon.url}${ingestRoutes.ingest.path}`, {
    method: 'POST',
    headers: {
      ...{ 'Content-Type': 'application/json', 'X-Timestamp': timestamp, 'X-Project-Id': billingProjectId },
      'X-Signature': sign(secret, timestamp, body),
    },
    body,
  });
  expect(response.status).toBe(201);
}

async function onDatabase(statement: string): Promise<void> {
  await writeBeside(url, statement);
}

/** Every table in which a text stands, with the traces that were found there. */
const found = async (needles: readonly string[]) => tracesIn(await contentsOf(url), needles);

/** PostgreSQL writes over what was deleted when it likes (autovacuum); its files are not looked at. */
const inFiles = (needles = traces): string[] => filesWith(daemon.dataDir, needles);

/** Kind of record in an export → the tables that it shows. */
const exportedTables: Readonly<Record<PersonRecordKind, readonly string[]>> = {
  leftOut: [],
  participant: ['Participant'],
  formerId: ['ParticipantFormerId'],
  note: ['ParticipantNote'],
  notice: ['PersonNotice'],
  sanction: ['Sanction'],
  review: ['Review'],
  block: ['PlayerBlock'],
  reporter: ['Reporter'],
  case: ['Case'],
  report: ['Report'],
  reportLine: ['ReportLine'],
  reportSound: ['ReportSound'],
  ruleExemption: ['Rule'],
  ruleDecision: ['RuleDecision'],
  pluginRun: ['PluginAction'],
  message: ['Message', 'MessageWords', 'MessageIndexed', 'PluginAnnotation'],
  roomToken: ['RoomTokenUse'],
  gathering: ['Gathering'],
  gatheringMember: ['GatheringMember'],
  gatheringInvitation: ['GatheringInvitation'],
  player: ['Player'],
  challenge: ['PlayerChallenge'],
  battlePass: ['PlayerBattlePass'],
  battlePassLevel: ['PlayerBattlePassLevel'],
  topic: ['Topic'],
  leaderboardScore: ['LeaderboardScore'],
  leaderboardShare: ['LeaderboardShare'],
  leaderboardExclusion: ['LeaderboardExclusion'],
  gameEvent: ['GameEvent'],
  event: ['DomainEvent'],
  webhookDelivery: ['WebhookPayload', 'WebhookAttempt'],
  auditEntry: ['AuditTarget'],
};
/** Kept for a day, for whoever repeats a request; orders and legal holds, of which an export does not warn anybody. */
const leftOut = ['IdempotencyRecord', 'AuthorityOrder', 'HeldId', 'ErasureRequest'];

/** Wherever a trace stands, the export of the person shows it. */
async function expectAllExported(): Promise<void> {
  const answer = await daemon.admin.fetch(personExportRoutes.export, { params: { ...params(), user: externalUserId } });
  const lines = (await answer.text()).trim().split('\n').slice(0, -1);
  const records = lines.map((line) => PersonRecord.parse(JSON.parse(line)));
  const shown = [...new Set(records.map(({ kind }) => kind))].flatMap((kind) => exportedTables[kind]);
  const holding = Object.keys(await found([...traces, id])).filter((table) => !/^MessageWords_/.test(table));
  expect(holding.filter((table) => ![...shown, ...leftOut].includes(table))).toEqual([]);
}

const databases = [
  { kind: 'SQLite', here: true },
  { kind: 'PostgreSQL', here: hasPostgresql },
];

const inEventLog = async (): Promise<string> => {
  const stream = await openStream(`${daemon.url}/api/projects/${projectId}/events/stream?since=earliest`, {
    'X-API-Key': daemon.apiKey,
  });
  const frames: string[] = [];
  do frames.push(JSON.stringify((await stream.next()).data));
  while (!frames.at(-1)?.includes('participant.deleted'));
  stream.close();
  return frames.join('\n');
};

describe.each(databases)('on $kind', ({ kind, here }) => {
  it.skipIf(!here)(
    'erasing a person leaves no trace of them, and keeps a banned one out',
    { timeout: 120_000 },
    async () => {
      await start(kind);
      await leaveTraces();
      if (server === null) expect(inFiles()).toContain('earshot.db-wal');
      expect(Object.keys(await found(traces))).toEqual(
        expect.arrayContaining([
          ...[
            'Participant',
            'ParticipantNote',
            'PersonNotice',
            'Sanction',
            'Review',
            'Message',
            'DomainEvent',
            'WebhookPayload',
          ],
          ...[
            'WebhookAttempt',
            'IdempotencyRecord',
            'GatheringMember',
            'GatheringInvitation',
            'GameEvent',
            'Gathering',
            ...['PluginAnnotation', 'PluginAction', 'AuditTarget'],
            ...(kind === 'SQLite' ? ['MessageWords'] : []),
          ],
        ]),
      );

      await expectAllExported();

      await daemon.client.call(participantRoutes.remove, { params: item(id) });
      expect(inFiles()).toEqual([]);
      expect(inFiles(said.split(' ').slice(0, 1))).toEqual([]); // as the index of the search holds it
      // The news of the deletion itself is delivered too.
      await eventually(async () => expect((await deliveries()).map(({ status }) => status)).not.toContain('pending'));

      expect(await found(traces)).toEqual({});
      // Events and the audit log keep the id of what they are about; the receiver echoes the one that tells of the
      // deletion.
      const kept = Object.keys(await found([id]));
      const events = ['DomainEvent', 'WebhookPayload', 'WebhookAttempt'];
      expect(kept.filter((table) => ![...events, 'AuditTarget'].includes(table))).toEqual([]);
      expect(readdirSync(join(daemon.dataDir, 'audio'))).toEqual([]);
      const log = await inEventLog();
      for (const trace of traces) expect(log).not.toContain(trace);
      const webhookLog = JSON.stringify(
        await Promise.all(
          (await deliveries()).map((one) => daemon.client.call(webhookEventRoutes.get, { params: item(one.id) })),
        ),
      );
      for (const trace of traces) expect(webhookLog).not.toContain(trace);

      if (server === null) {
        const backup = join(folder, 'fresh.db');
        await backupSqlite(join(daemon.dataDir, 'earshot.db'), backup);
        const bytes = readFileSync(backup);
        for (const trace of traces) expect(bytes.includes(trace)).toBe(false);
      }

      const token = daemon.client.call(tokenRoutes.generateForProject, {
        params: params(),
        body: { roomId: 'arena', userId: externalUserId },
      });
      await expect(token).rejects.toMatchObject({ status: 403, code: 'participant_banned' });
      const lifted = await daemon.client.call(sanctionRoutes.liftErasedBans, {
        params: { ...params(), externalUserId },
      });
      expect(lifted).toEqual({ lifted: 1 });
      expect((await found([externalUserId])).AuditTarget).toBeUndefined();
    },
  );

  it.skipIf(!here)('removing a project leaves no trace of it, nor of anybody in it', { timeout: 120_000 }, async () => {
    await start(kind);
    await leaveTraces();
    const all = [...traces, projectId];
    expect(Object.keys(await found(all)).length).toBeGreaterThan(20);
    await daemon.admin.call(projectRoutes.remove, { params: params() });
    await eventually(async () => expect(await found(traces)).toEqual({}));
    // The log still shows who removed it, and for a day a repeated request to make it gets its answer.
    const audited = ['AuditEntry', 'AuditTarget', 'DomainEvent', 'IdempotencyRecord'];
    await eventually(async () => expect(Object.keys(await found([projectId])).sort()).toEqual(audited));
    if (server === null) await eventually(() => expect(inFiles()).toEqual([]));
    expect(readdirSync(join(daemon.dataDir, 'audio'))).toEqual([]);
  });
});
