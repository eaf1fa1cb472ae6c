/** Places in the log: by time as it was stored, and by the ids of events that the caller may read. */
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../../daemon/platform/database/database.js';
import type { EventListener } from '../../../daemon/platform/events/follower.js';
import { EventLog } from '../../../daemon/platform/events/log.js';
import { type HeardPage, type LogReader, LogReaders, readerAt } from '../../../daemon/platform/events/log-readers.js';
import type { NewEvent } from '../../../daemon/platform/events/logged.js';
import { LocalWakeUps } from '../../../daemon/platform/events/wake-ups.js';
import { createLogger } from '../../../daemon/platform/observability/logger.js';
import { unnotedJobs } from '../../../daemon/platform/scheduler/jobs.js';
import { participantRoutes } from '../../../src/contract/people/participants.js';
import { projectRoutes } from '../../../src/contract/projects/projects.js';
import { webhookRoutes } from '../../../src/contract/webhooks/webhooks.js';
import { startDaemon, type TestDaemon } from '../../support/daemon.js';
import { openPostgresql, openSqlite, type TestDatabase } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { hasPostgresql } from '../../support/postgresql.js';
import { openStream, type RawStream } from '../../support/stream.js';

const event = (projectId: string, timestamp?: Date): NewEvent => ({
  type: 'server.started',
  tenantId: 't',
  projectId,
  resourceId: 'server:1',
  action: 'occurred',
  data: {},
  ...(timestamp === undefined ? {} : { timestamp }),
});
const minute = (at: number): Date => new Date(Date.UTC(2026, 0, 1, 12) + at * 60_000);

const logOn = (open: () => Promise<TestDatabase>) => () => {
  let opened: TestDatabase;
  let log: EventLog;
  let clock: Date;
  beforeAll(async () => {
    opened = await open();
    log = new EventLog(opened.database, new LocalWakeUps(), () => clock);
    await log.start();
  });
  afterAll(() => opened.close());

  /** Stores an event when the clock shows the time; returns its position. */
  const storeAt = async (at: Date, timestamp?: Date): Promise<bigint> => {
    clock = at;
    await opened.database.transaction((tx) => log.append(tx, event('p', timestamp)));
    return log.head();
  };

  it('goes by the time of storing, whatever an event says of itself and however the clock jumps', async () => {
    const first = await storeAt(minute(0), new Date('2099-01-01T00:00:00Z'));
    const second = await storeAt(minute(1), new Date('1999-01-01T00:00:00Z'));
    expect(await log.positionBefore(minute(0.5))).toBe(first);
    expect(await log.positionBefore(minute(1))).toBe(second);
    // A little back: the time of storing stands still.
    await storeAt(minute(0.9));
    const fourth = await storeAt(minute(2));
    expect(await log.positionBefore(minute(1.5))).toBe(fourth - 1n);
    expect(await log.positionBefore(minute(0.95))).toBe(first);
    // Years ahead for one event, and back: that event says nothing of time.
    await storeAt(new Date('2098-01-01T00:00:00Z'));
    const sixth = await storeAt(minute(3));
    expect(await log.positionBefore(minute(2.5))).toBe(fourth);
    expect(await log.positionBefore(minute(3))).toBe(sixth);
    // Years back for one event, and on: what was stored meanwhile is not missed.
    await storeAt(new Date('1998-01-01T00:00:00Z'));
    const eighth = await storeAt(minute(4));
    expect(await log.positionBefore(minute(2.5))).toBe(fourth);
    expect(await log.positionBefore(minute(4))).toBe(eighth);
  });

  it('shows of a page what its owner, types and resources say, and nothing of others', async () => {
    const told = (of: Partial<NewEvent>) => ({ ...event('p1'), ...of });
    const before = await log.head();
    await opened.database.transaction((tx) =>
      log.append(
        tx,
        told({ type: 'a.x', resourceId: 'k:1' }),
        told({ projectId: 'p2', type: 'a.x' }),
        told({ type: 'b.x', resourceId: 'k:2' }),
        told({ tenantId: 'u', projectId: 'p3', type: 'a.x' }),
        told({ projectId: null, type: 'b.x', resourceId: 'plain' }),
      ),
    );
    const to = await log.head();
    const page = async (
      parts: Parameters<typeof log.pages.read>[0]['parts'],
      type: string,
      resources: string[] = [],
    ) => {
      const filter = { hears: (one: string) => one.startsWith(type), resources };
      const { events, end } = await log.pages.read({ parts, filter, after: before, to });
      expect(end).toBe(to);
      return events.map(({ position }) => Number(position - before));
    };
    const project = (id: string) => ({ kind: 'project' as const, id });
    const tenant = (...but: string[]) => ({ kind: 'tenant' as const, id: 't', but: new Set(but) });
    expect(await page([project('p1')], '')).toEqual([1, 3]);
    expect(await page([project('p1')], 'b')).toEqual([3]);
    expect(await page([project('p1'), project('p3')], 'a')).toEqual([1, 4]);
    expect(await page([tenant()], '')).toEqual([1, 2, 3, 5]);
    expect(await page([tenant('p1')], '')).toEqual([2, 5]);
    expect(await page([tenant(), project('p2'), project('p3')], 'a')).toEqual([1, 2, 4]);
    expect(await page([tenant()], '', ['2', 'plain'])).toEqual([3, 5]);
    expect(await page([project('p1')], '', ['k:1'])).toEqual([1]);
    expect(await log.pages.newestAt([tenant('p1')], before + 4n)).toMatchObject({ position: before + 2n });
    expect(await log.pages.oldest([project('p3')])).toMatchObject({ position: before + 4n });
  });
};

describe('a log on SQLite', logOn(openSqlite));
describe.skipIf(!hasPostgresql)('a log on PostgreSQL', logOn(openPostgresql));

class Readers extends LogReaders<LogReader> {
  readonly heard: string[] = [];
  private readonly all = ['slow', 'quick'].map((id) => ({
    ...{ id, tenantId: id, projectId: id, hears: () => true },
    ...readerAt(0n),
  }));

  constructor(
    database: Database,
    log: EventLog,
    private readonly slow: Promise<void>,
  ) {
    super(database, log, unnotedJobs(createLogger('silent')), createLogger('silent'), { readers: 'readers', id: 'id' });
  }

  protected load = async () => this.all;
  protected advance = async () => true;
  protected async process({ id }: LogReader, { events }: HeardPage) {
    if (id === 'slow') await this.slow;
    this.heard.push(`${id}: ${events.length}`);
    return 'taken' as const;
  }
}

it('is read on for one while another one still works on what came before', async () => {
  const { database, close } = await openSqlite();
  const log = new EventLog(database, new LocalWakeUps(), () => new Date());
  await log.start();
  const store = (...projects: string[]) =>
    database.transaction((tx) => log.append(tx, ...projects.map((id) => event(id))));
  let finish: () => void = () => {};
  const slow = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const readers = new Readers(database, log, slow);
  let tell: EventListener = () => {};
  await store('slow', 'quick');
  await readers.start({
    onEvents: (listener) => {
      tell = listener;
      return () => {};
    },
  });
  await eventually(() => expect(readers.heard).toEqual(['quick: 1']));
  await store('quick', 'quick');
  await tell((await log.read({ after: 2n, limit: 10 })).filter(({ event: { projectId } }) => projectId === 'quick'));
  await eventually(() => expect(readers.heard).toEqual(['quick: 1', 'quick: 2']), 500);
  finish();
  await readers.stop();
  await close();
});

describe('an event that the caller may not read', () => {
  let daemon: TestDaemon;
  let foreignId: string;
  let own: { ids: string[]; key: string; projectId: string };
  const streamOf = (query: string): Promise<RawStream> =>
    openStream(`${daemon.url}/api/projects/${own.projectId}/events/stream${query}`, { 'X-API-Key': own.key });

  beforeAll(async () => {
    daemon = await startDaemon();
    const database = await Database.connect(daemon.databaseUrl);
    const log = new EventLog(database, new LocalWakeUps(), () => new Date());
    const { id: projectId } = await daemon.admin.call(projectRoutes.create, { body: { name: 'own' } });
    const params = { projectId };
    for (const externalUserId of ['u1', 'u2']) {
      await daemon.client.call(participantRoutes.create, { params, body: { externalUserId } });
      const told = { ...event('foreign'), tenantId: 'another' };
      foreignId = (await database.transaction((tx) => log.append(tx, told)))[0]?.id ?? '';
    }
    await database.close();
    own = { ids: [], key: daemon.apiKey, projectId };
    const all = await streamOf('?since=earliest');
    for (let count = 0; count < 2; count += 1) own.ids.push((await all.next()).id ?? '');
    all.close();
  });
  afterAll(() => daemon.stop());

  it('is not told as the place where a stream begins', async () => {
    const stream = await streamOf('');
    expect(stream.headers.get('last-event-id')).toBe(own.ids[1]);
    stream.close();
    const { id } = await daemon.admin.call(projectRoutes.create, { body: { name: 'empty' } });
    const empty = await openStream(`${daemon.url}/api/projects/${id}/events/stream`, { 'X-API-Key': own.key });
    expect(empty.headers.get('last-event-id')).toBe('earliest');
    empty.close();
  });

  it('is an unknown place for a stream, and the oldest event told is the own', async () => {
    const other = `${foreignId.slice(0, 14)}7${foreignId.slice(15, 35)}${foreignId.endsWith('0') ? '1' : '0'}`;
    for (const lastEventId of [foreignId, other]) {
      const stream = await streamOf(`?last-event-id=${lastEventId}`);
      expect(await stream.next()).toMatchObject({
        event: 'stream.gap',
        data: { lastEventId, oldestId: own.ids[0] },
      });
      stream.close();
    }
  });

  it('goes on behind earliest, without a gap', async () => {
    const stream = await streamOf('?last-event-id=earliest');
    expect((await stream.next()).id).toBe(own.ids[0]);
    stream.close();
  });

  it('is no place for a webhook replay, which names own events alone', async () => {
    const params = { projectId: own.projectId };
    const body = { url: 'https://example.com/hook', secret: 'a long secret', events: ['participant.*'] };
    const { id } = await daemon.client.call(webhookRoutes.create, { params, body });
    const replay = (since: string) =>
      daemon.client.call(webhookRoutes.replay, { params: { ...params, id }, body: { since } });
    await expect(replay(foreignId)).rejects.toMatchObject({ status: 400, code: 'replay_range_invalid' });
    await expect(replay(uuidv7())).rejects.toMatchObject({ status: 400, code: 'replay_range_invalid' });
    expect(await replay(own.ids[0] ?? '')).toEqual({ queued: 1, lastEventId: own.ids[1], complete: true });
    expect(await replay('2026-01-01T00:00:00Z')).toMatchObject({ queued: 2, complete: true });
  });
});
