/** How far the place of a plugin in the log moves. */
import { uuidv7 } from 'uuidv7';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ActionStore } from '../../daemon/modules/plugins/actions/action-store.js';
import { Manifest } from '../../daemon/modules/plugins/catalogue/manifest.js';
import { PluginFeeder } from '../../daemon/modules/plugins/host/feeder.js';
import { InstanceStore } from '../../daemon/modules/plugins/instances/instance-store.js';
import { systemClock } from '../../daemon/platform/clock.js';
import { EventLog } from '../../daemon/platform/events/log.js';
import { sweepMs } from '../../daemon/platform/events/log-readers.js';
import { LocalWakeUps } from '../../daemon/platform/events/wake-ups.js';
import { createLogger } from '../../daemon/platform/observability/logger.js';
import { openSqlite, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';

let opened: TestDatabase;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  opened = await openSqlite();
});
afterEach(async () => {
  vi.useRealTimers();
  await opened.close();
});

it('moves its place behind everything that it has read, however much the plugin does not hear', async () => {
  const { database } = opened;
  const log = new EventLog(database, new LocalWakeUps(), systemClock);
  await log.start();
  const at = systemClock();
  const [tenantId, projectId, id] = [uuidv7(), uuidv7(), uuidv7()];
  const instances = new InstanceStore(database);
  const kept = { pluginSlug: 'words', enabled: true, settings: '{}', secrets: null, createdAt: at, updatedAt: at };
  const row = { id, tenantId, projectId, ...kept };
  await database.transaction(async (tx) => {
    await tx.tenant.create({ data: { id: tenantId, name: 'Studio', createdAt: at } });
    await tx.project.create({
      data: { id: projectId, tenantId, name: 'p', billingProjectId: projectId, createdAt: at },
    });
    await instances.insert(tx, row);
    await instances.beginAt(tx, row, 0n, at);
  });
  const manifest = Manifest.parse({
    ...{ slug: 'words', name: 'Words', description: 'Hears messages.', version: '1.0.0', kind: 'message' },
    events: ['message.created'],
  });
  const actions = new ActionStore(database, 'test');
  const catalogue = { manifest: async () => manifest };
  const logger = createLogger('error');
  const feeder = new PluginFeeder(database, log, instances, actions, catalogue, () => {}, logger, systemClock);
  await feeder.start({ onEvents: () => () => {} });
  const event = { type: 'server.started', tenantId, projectId, resourceId: 'server:1', data: {} };
  const unheard = Array.from({ length: 7_000 }, () => ({ ...event, action: 'occurred' as const })); // several pages
  await database.transaction((tx) => log.append(tx, ...unheard));
  vi.advanceTimersByTime(sweepMs);
  await eventually(async () => {
    const [reading] = await instances.listening('');
    expect(reading?.position).toBe(await log.head());
  });
  await feeder.stop();
});
