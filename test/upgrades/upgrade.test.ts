/**
 * Databases that earlier versions have left (`record.mjs` makes them) are opened by this one: everything that reads what is
 * stored works on all of them, and every event has the form that the contract states today.
 */
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import BetterSqlite3 from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../daemon/platform/database/database.js';
import { EventLog } from '../../daemon/platform/events/log.js';
import { LocalWakeUps } from '../../daemon/platform/events/wake-ups.js';
import { systemClock } from '../../daemon/platform/time/clock.js';
import { eventData, type OwnEventType, RedactedData } from '../../src/contract/events.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { allRoutes } from '../../src/contract/routes.js';
import { ruleDecisionRoutes } from '../../src/contract/rules/rule-decisions.js';
import { moderationStatsRoutes } from '../../src/contract/stats/moderation-stats.js';
import { transparencyRoutes } from '../../src/contract/stats/transparency.js';
import { webhookEventRoutes } from '../../src/contract/webhooks/webhook-events.js';
import { webhookRoutes } from '../../src/contract/webhooks/webhooks.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { inSqlite } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { openStream } from '../support/stream.js';

const folder = join(import.meta.dirname, 'versions');
const versions = readdirSync(folder).filter((name) => name.endsWith('.db.br'));

/** Puts the database of a version where the daemon looks for it. */
function putVersion(dataDir: string, file: string): void {
  const path = join(dataDir, 'earshot.db');
  for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true });
  writeFileSync(path, brotliDecompressSync(readFileSync(join(folder, file))));
  const own = join(folder, file.replace('.db.br', '.key-ring.json'));
  copyFileSync(existsSync(own) ? own : join(folder, 'key-ring.json'), join(dataDir, 'key-ring.json'));
}

/** Soon after the databases were made. */
const madeAt = Date.parse('2026-12-01T15:56:00Z');
const startedAt = Date.now();
const now = () => new Date(madeAt + Date.now() - startedAt);

const start = (file: string, prepare: (path: string) => void = () => {}) =>
  startDaemon({
    now,
    settings: { ...inSqlite, EARSHOT_OUTBOUND_ALLOW: '127.0.0.0/8', EARSHOT_LOG_LEVEL: 'fatal' },
    prepare: (dataDir) => {
      putVersion(dataDir, file);
      prepare(join(dataDir, 'earshot.db'));
    },
  });
const figuresOf = async (daemon: TestDaemon) => {
  const params = { projectId: daemon.projectId };
  return daemon.client.call(moderationStatsRoutes.get, { params, query: {} });
};
const metric = async (daemon: TestDaemon, name: string): Promise<number> => {
  const text = await (await fetch(`${daemon.url}/metrics`)).text();
  return Number(new RegExp(`^${name}\\{[^}]*\\} (\\d+)$`, 'm').exec(text)?.[1]);
};

describe.each(versions)('the database of %s', (file) => {
  let daemon: TestDaemon;
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver();
    daemon = await start(file);
  });
  afterAll(async () => {
    await daemon.stop();
    await receiver.stop();
  });

  it('has events that are all in the form of today', async () => {
    const database = await Database.connect(daemon.databaseUrl);
    try {
      const log = new EventLog(database, new LocalWakeUps(), systemClock);
      const unreadable: string[] = [];
      log.onUnreadable((id) => unreadable.push(id));
      const read = (await log.follow({ after: 0n, limit: 10_000 }))(() => true);
      expect(read.events.length).toBeGreaterThan(100);
      for (const { event } of read.events) {
        if (RedactedData.safeParse(event.payload.data).success) continue;
        const { error } = eventData[event.type as OwnEventType].safeParse(event.payload.data);
        expect({ type: event.type, problems: error?.issues ?? [] }).toEqual({ type: event.type, problems: [] });
      }
      expect(unreadable).toEqual([]);
    } finally {
      await database.close();
    }
  });

  it('gives figures of moderation, before and after they are counted anew', async () => {
    const params = { projectId: daemon.projectId };
    const before = await figuresOf(daemon);
    expect(before.sanctions.total).toBeGreaterThan(0);
    const rebuilt = await daemon.client.call(moderationStatsRoutes.rebuild, { params });
    expect(rebuilt.events).toBeGreaterThan(0);
    // What was erased since is counted without its kind.
    expect((await figuresOf(daemon)).sanctions.total).toBe(before.sanctions.total);
    const figures = await daemon.client.call(transparencyRoutes.get, { params, query: { year: 2026 } });
    expect(figures.measures.length).toBeGreaterThan(0);
    expect(await metric(daemon, 'earshot_events_unreadable_total')).toBe(0);
  });

  it('answers every read of the project', async () => {
    const reads = allRoutes.filter(
      ({ method, path, auth, success }) =>
        method === 'get' &&
        auth.includes('apiKey') &&
        success.contentType !== 'text/event-stream' &&
        (path.match(/\{\w+\}/g) ?? []).every((one) => one === '{projectId}'),
    );
    expect(reads.length).toBeGreaterThan(40);
    for (const { path } of reads) {
      const response = await fetch(daemon.url + path.replace('{projectId}', daemon.projectId), {
        headers: { 'X-API-Key': daemon.apiKey },
        signal: AbortSignal.timeout(10_000),
      });
      // Some need a query, or something that is set up first.
      expect({ path, fails: response.status >= 500 && response.status !== 503 }).toEqual({ path, fails: false });
      await response.text();
    }
  });

  it('replays its events on streams, and to webhooks', async () => {
    const { projectId, client } = daemon;
    const stream = await openStream(
      `${daemon.url}/api/projects/${projectId}/events/stream?since=2000-01-01T00:00:00Z`,
      {
        'X-API-Key': daemon.apiKey,
      },
    );
    expect((await stream.next()).data).toMatchObject({ projectId });
    stream.close();
    const body = { url: receiver.url, secret: 'a long secret', events: ['sanction.*'] };
    const { id } = await client.call(webhookRoutes.create, { params: { projectId }, body });
    const since = '2000-01-01T00:00:00Z';
    const { queued } = await client.call(webhookRoutes.replay, { params: { projectId, id }, body: { since } });
    expect(queued).toBeGreaterThan(0);
    await receiver.waitFor(queued);
    expect(receiver.received).toHaveLength(queued);
  });

  it('sends the webhooks that waited', async () => {
    const params = { projectId: daemon.projectId };
    const [waiting] = await daemon.client.call(webhookRoutes.list, { params });
    const [first] = (
      await daemon.client.call(webhookEventRoutes.list, { params, query: { status: 'pending' } })
    ).filter(({ subscriptionId }) => subscriptionId === waiting?.id);
    expect(first?.payload).toMatchObject({ projectId: daemon.projectId });
    const id = waiting?.id ?? '';
    receiver.received.length = 0;
    await daemon.client.call(webhookRoutes.update, {
      params: { ...params, id },
      body: { url: receiver.url, secret: 'another long secret' },
    });
    await daemon.client.call(webhookEventRoutes.resend, { params: { ...params, id: first?.id ?? '' } });
    await eventually(() => expect(receiver.received.length).toBeGreaterThan(0));
  });

  it('replays what rules decided', async () => {
    const params = { projectId: daemon.projectId };
    const { decisions } = await daemon.client.call(ruleDecisionRoutes.list, { params, query: {} });
    expect(decisions.length).toBeGreaterThan(0);
    for (const { id } of decisions) {
      const replay = await daemon.client.call(ruleDecisionRoutes.replay, { params: { ...params, id } });
      expect(replay).toMatchObject({ decisionId: id });
    }
  });

  it('has no job that fails', async () => {
    const { sanctions } = await daemon.client.call(sanctionRoutes.list, {
      params: { projectId: daemon.projectId },
      query: {},
    });
    expect(sanctions.length).toBeGreaterThan(0);
    const text = await (await fetch(`${daemon.url}/metrics`)).text();
    const jobs = [...text.matchAll(/^earshot_job_failures_in_a_row\{.*job="([\w-]+)".*\} (\d+)$/gm)];
    expect(jobs.length).toBeGreaterThan(5);
    expect(jobs.filter(([, , failures]) => failures !== '0')).toEqual([]);
  });
});

describe('an event whose data is not what its type promises', () => {
  it('is set aside with its id, and the figures of its project go on', async () => {
    let id: unknown;
    const [file = ''] = versions;
    const daemon = await start(file, (path) => {
      const database = new BetterSqlite3(path);
      const bad = `SELECT "id" FROM "DomainEvent" WHERE "type" = 'sanction.created' LIMIT 1`;
      id = database.prepare(bad).pluck().get();
      const payload = JSON.stringify({ action: 'created', data: { type: 7, evidence: { messageIds: 8 } } });
      database.prepare('UPDATE "DomainEvent" SET "payload" = ? WHERE "id" = ?').run(payload, id);
      database.close();
    });
    try {
      expect((await figuresOf(daemon)).sanctions.total).toBeGreaterThan(0);
      expect(await metric(daemon, 'earshot_events_unreadable_total')).toBe(1);
      const { events } = await daemon.client.call(moderationStatsRoutes.rebuild, {
        params: { projectId: daemon.projectId },
      });
      expect(events).toBeGreaterThan(0);
      expect(await metric(daemon, 'earshot_events_unreadable_total')).toBe(1);
      expect(id).toBeDefined();
    } finally {
      await daemon.stop();
    }
  });
});
