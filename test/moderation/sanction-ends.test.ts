/** The end of a sanction is announced once, whoever or whatever ends it, with what was there before. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DomainEvent } from '../../src/contract/events.js';
import { type CreateSanctionRequest, sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { eventRoutes } from '../../src/contract/streams/event-streams.js';
import type { TestDaemon } from '../support/daemon.js';
import { describeDaemonsOnEachDatabase } from '../support/each-database.js';
import { openStream } from '../support/stream.js';

describeDaemonsOnEachDatabase('the end of a sanction', (start) => {
  let daemon: TestDaemon;
  let now = new Date('2026-03-01T10:00:00.000Z');
  beforeAll(async () => {
    daemon = await start({ now: () => now });
  });
  afterAll(() => daemon.stop());

  const params = () => ({ projectId: daemon.projectId });
  const impose = (body: CreateSanctionRequest) => daemon.client.call(sanctionRoutes.create, { params: params(), body });
  /** What was announced of the sanction until another one is: previous values, one object an event. */
  const announced = async (id: string): Promise<unknown[]> => {
    const path = eventRoutes.streamProject.path.replace('{projectId}', daemon.projectId);
    const stream = await openStream(`${daemon.url}${path}?types=sanction.*&since=earliest`, {
      'X-API-Key': daemon.apiKey,
    });
    const found: unknown[] = [];
    const last = await impose({ type: 'warn', externalUserId: 'other' });
    for (;;) {
      const { type, resourceId, payload } = (await stream.next()).data as DomainEvent;
      if (resourceId === `sanction:${last.id}`) break;
      if (resourceId === `sanction:${id}`) found.push([type, payload.changes?.status, payload.changes?.isActive]);
    }
    stream.close();
    return found;
  };
  /** Ends of others are announced by the clock, so its turns have passed. */
  const turnOfTheClock = async () => {
    const { id } = await impose({ type: 'mute', externalUserId: 'clock', duration: 1 });
    now = new Date(now.getTime() + 5_000);
    for (let isOver = false; !isOver; ) isOver = (await announced(id)).length > 1;
    expect(await announced(id)).toEqual([
      ['sanction.created', undefined, undefined],
      ['sanction.updated', 'active', true],
    ]);
  };

  it('comes with the change that sets it in the past', async () => {
    const { id } = await impose({ type: 'mute', externalUserId: 'u1', duration: 3_600 });
    now = new Date(now.getTime() + 60_000);
    const endAt = new Date(now.getTime() - 1_000).toISOString();
    await daemon.client.call(sanctionRoutes.update, { params: { ...params(), id }, body: { endAt } });
    await turnOfTheClock();
    expect(await announced(id)).toEqual([
      ['sanction.created', undefined, undefined],
      ['sanction.updated', 'active', true],
    ]);
  });

  it('is not announced of one that was over when it was imposed', async () => {
    const [startAt, endAt] = [120_000, 60_000].map((ms) => new Date(now.getTime() - ms).toISOString());
    const { id } = await impose({ type: 'mute', externalUserId: 'u2', startAt, endAt });
    await turnOfTheClock();
    expect(await announced(id)).toEqual([['sanction.created', undefined, undefined]]);
  });
});
