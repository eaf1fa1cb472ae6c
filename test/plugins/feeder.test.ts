/** Positions of plugins in the log, and the runs that are queued as they move. */
import { uuidv7 } from 'uuidv7';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ActionStore } from '../../daemon/modules/plugins/actions/action-store.js';
import { Manifest } from '../../daemon/modules/plugins/catalogue/manifest.js';
import { PluginFeeder } from '../../daemon/modules/plugins/host/feeder.js';
import { queuedPerInstanceMax } from '../../daemon/modules/plugins/host/limits.js';
import { InstanceStore } from '../../daemon/modules/plugins/instances/instance-store.js';
import { EventLog } from '../../daemon/platform/events/log.js';
import { pollMs, sweepMs } from '../../daemon/platform/events/log-readers.js';
import { LocalWakeUps } from '../../daemon/platform/events/wake-ups.js';
import { createLogger } from '../../daemon/platform/observability/logger.js';
import { unnotedJobs } from '../../daemon/platform/scheduler/jobs.js';
import { systemClock } from '../../daemon/platform/time/clock.js';
import { openSqlite, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';

const manifest = Manifest.parse({
  ...{ slug: 'words', name: 'Words', description: 'Hears messages.', version: '1.0.0', kind: 'message' },
  events: ['message.created'],
});

let opened: TestDatabase;
let log: EventLog;
let instances: InstanceStore;
let feeder: PluginFeeder;
const [tenantId, projectId] = [uuidv7(), uuidv7()];
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  opened = await openSqlite();
  const { database } = opened;
  log = new EventLog(database, new LocalWakeUps(), systemClock);
  await log.start();
  const createdAt = systemClock();
  await database.transaction(async (tx) => {
    await tx.tenant.create({ data: { id: tenantId, name: 'Studio', createdAt } });
    await tx.project.create({ data: { id: projectId, tenantId, name: 'p', billingProjectId: projectId, createdAt } });
  });
  instances = new InstanceStore(database);
  const actions = new ActionStore(database, 'test');
  const catalogue = { manifest: async () => manifest };
  const logger = createLogger('error');
  feeder = new PluginFeeder(
    database,
    log,
    { instances, actions, plugins: catalogue, onQueued: () => {}, now: systemClock },
    unnotedJobs(logger),
    logger,
  );
});
afterEach(async () => {
  await feeder.stop();
  vi.useRealTimers();
  await opened.close();
});

/** An instance that reads behind a position. */
async function install(pluginSlug: string, position: bigint): Promise<string> {
  const at = systemClock();
  const kept = { pluginSlug, enabled: true, settings: {}, secrets: null, createdAt: at, updatedAt: at };
  const row = { id: uuidv7(), tenantId, projectId, ...kept };
  await opened.database.transaction(async (tx) => {
    await instances.beginAt(tx, await instances.insert(tx, row), position, at);
  });
  return row.id;
}

const append = (count: number, type = 'message.created') =>
  opened.database.transaction((tx) =>
    log.append(
      tx,
      ...Array.from({ length: count }, () => ({
        ...{ type, tenantId, projectId, resourceId: 'message:1', data: {} },
        action: 'created' as const,
      })),
    ),
  );

const runs = (instanceId: string) => opened.database.read.pluginAction.count({ where: { instanceId } });
const endAll = (instanceId: string) =>
  opened.database.transaction((tx) => tx.pluginAction.updateMany({ where: { instanceId }, data: { dueAt: null } }));

describe('the places of plugins', () => {
  it('move behind everything that was read, however much of it nobody hears', async () => {
    await install('words', 0n);
    await feeder.start({ onEvents: () => () => {} });
    await append(7_000, 'server.started'); // several pages
    vi.advanceTimersByTime(sweepMs);
    await eventually(async () => {
      const [reading] = await instances.listening('');
      expect(reading?.position).toBe(await log.head());
    });
  });

  it('may differ: each plugin gets what came behind its own, once, and then they are equal', async () => {
    await append(10);
    const early = await install('words', 0n);
    const late = await install('others', 7n);
    await feeder.start({ onEvents: () => () => {} });
    await eventually(async () => expect([await runs(early), await runs(late)]).toEqual([10, 3]));
    await append(5);
    vi.advanceTimersByTime(sweepMs);
    await eventually(async () => expect([await runs(early), await runs(late)]).toEqual([15, 8]));
    const positions = (await instances.listening('')).map(({ position }) => position);
    expect(new Set(positions)).toEqual(new Set([await log.head()]));
  });

  it('of a plugin whose queue is full stays, and holds up no other', async () => {
    const [slow, quick] = [await install('words', 0n), await install('others', 0n)];
    await append(queuedPerInstanceMax);
    await feeder.start({ onEvents: () => () => {} });
    await eventually(async () => expect(await runs(slow)).toBe(queuedPerInstanceMax));
    await endAll(quick);
    await append(700);
    vi.advanceTimersByTime(sweepMs);
    const all = queuedPerInstanceMax + 700;
    await eventually(async () => expect(await runs(quick)).toBe(all));
    expect(await runs(slow)).toBe(queuedPerInstanceMax);
    await endAll(slow);
    vi.advanceTimersByTime(pollMs);
    await eventually(async () => expect(await runs(slow)).toBe(all));
    await append(1);
    vi.advanceTimersByTime(sweepMs);
    await eventually(async () => expect([await runs(slow), await runs(quick)]).toEqual([all + 1, all + 1]));
  });
});
