/** Early listeners hear of events right after the commit, of each once, whichever process has stored it. */
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../daemon/platform/database/database.js';
import { LogFollower } from '../../../daemon/platform/events/follower.js';
import { EventLog } from '../../../daemon/platform/events/log.js';
import { LocalWakeUps } from '../../../daemon/platform/events/wake-ups.js';
import { createLogger } from '../../../daemon/platform/observability/logger.js';
import { openSqlite } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';

describe('an early listener of the log', () => {
  let opened: Awaited<ReturnType<typeof openSqlite>>;
  const tenantId = uuidv7();
  const now = () => new Date();
  const database = (): Database => opened.database;
  const wakeUps = new LocalWakeUps();
  const announce = (log: EventLog, name: string) =>
    database().transaction((tx) =>
      log.append(tx, {
        ...{ type: 'participant.created', tenantId, projectId: null },
        ...{ resourceId: `participant:${name}`, action: 'created', data: {} },
      }),
    );
  beforeAll(async () => {
    opened = await openSqlite();
    const tenant = { id: tenantId, name: 'Studio', createdAt: now() };
    await database().transaction(async (tx) => void (await tx.tenant.create({ data: tenant })));
  });
  afterAll(() => opened.close());

  it('hears of each event once, and of its own at the commit', async () => {
    const [here, there] = [new EventLog(database(), wakeUps, now), new EventLog(database(), wakeUps, now)];
    await here.start();
    const follower = new LogFollower(here, wakeUps, createLogger('silent'));
    const [early, inOrder]: [string[], string[]] = [[], []];
    follower.onEventsEarly((events) => early.push(...events.map(({ resourceId }) => resourceId)));
    follower.onEvents((events) => void inOrder.push(...events.map(({ event }) => event.resourceId)));
    await follower.start();
    const names = Array.from({ length: 60 }, (_, index) => `${index}`);
    for (const [index, name] of names.entries()) {
      const isOwn = index % 3 !== 0;
      await announce(isOwn ? here : there, name);
      if (isOwn) expect(early).toContain(`participant:${name}`);
    }
    await Promise.all(['x', 'y', 'z'].map((name) => announce(here, name)));
    await eventually(() => expect(inOrder).toHaveLength(63));
    expect(early.toSorted()).toEqual(inOrder.toSorted());
    await follower.stop();
  });
});
