/** Sums of scores beyond 2^53 - 1, at both ends: the limit is applied when they are shown, and nothing is lost in between. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { personMoveRoutes } from '../../src/contract/people/person-moves.js';
import { routes } from '../../src/contract/routes.js';
import type { TestDaemon } from '../support/daemon.js';
import { describeDaemonsOnEachDatabase } from '../support/each-database.js';
import { rebuilding } from './support.js';

const max = Number.MAX_SAFE_INTEGER;

describeDaemonsOnEachDatabase('a sum of scores', (start) => {
  let daemon: TestDaemon;
  beforeAll(async () => {
    daemon = await start();
  });
  afterAll(() => daemon.stop());

  /** A board of its own, by how much health bosses leave, which may be negative. */
  async function open(sortOrder: 'desc' | 'asc' = 'desc') {
    const params = { projectId: daemon.projectId };
    const body = { name: 'Health', eventName: 'defeat-boss', countProperty: 'health', sortOrder } as const;
    const { id } = await daemon.client.call(routes.leaderboards.create, { params, body });
    const board = { ...params, id };
    const shown = async (memberType: 'user' | 'team' = 'user') => {
      const { entries } = await daemon.client.call(routes.leaderboards.ranking, {
        params: board,
        query: { memberType },
      });
      return Object.fromEntries(entries.map(({ memberId, score }) => [memberId, score]));
    };
    return {
      shown,
      async send(user_id: string, health: number, more: { team_id?: string; event_type?: 'group' } = {}) {
        const event = { user_id, event_name: 'defeat-boss' as const, meta_data: { health }, ...more };
        const { results } = await daemon.client.call(routes.gameplay.sendEvents, {
          body: { events: [event] },
          query: {},
        });
        expect(results).toEqual([{ status: 200, message: 'OK', code: null, details: [], late: null }]);
      },
      async rebuildChangesNothing() {
        const rebuild = rebuilding(daemon.client, board);
        const before = [await shown(), await shown('team')];
        const made = await rebuild.make({});
        expect({ changed: made.changed, changes: made.changes }).toEqual({ changed: 0, changes: [] });
        await rebuild.apply(made.id);
        expect([await shown(), await shown('team')]).toEqual(before);
      },
      close: () => daemon.client.call(routes.leaderboards.delete, { params: board }),
    };
  }

  describe.each(['desc', 'asc'] as const)('in the order %s', (order) => {
    it.each([max, -max])('goes beyond %d, is shown as that, and comes back', async (far) => {
      const { send, shown, rebuildChangesNothing, close } = await open(order);
      const sign = Math.sign(far);
      for (const part of [far, far, 7 * sign]) await send('ann', part);
      expect(await shown()).toEqual({ ann: far });
      await rebuildChangesNothing();
      for (const part of [-far, -far]) await send('ann', part);
      expect(await shown()).toEqual({ ann: 7 * sign });
      await rebuildChangesNothing();
      await close();
    });
  });

  it('of a team is that of its members after every event, below 0 too', async () => {
    const { send, shown, rebuildChangesNothing, close } = await open();
    const red = { team_id: 'red' };
    await send('ann', -5, red);
    expect(await shown('team')).toEqual({ red: -5 });
    await send('ann', 10, red);
    expect([await shown(), await shown('team')]).toEqual([{ ann: 5 }, { red: 5 }]);
    for (const part of [max, max]) await send('mal', part, red);
    expect(await shown('team')).toEqual({ red: max });
    await rebuildChangesNothing();
    await send('mal', 0, { ...red, event_type: 'group' });
    expect(await shown('team')).toEqual({ red: 5 });
    await send('mal', -max, red);
    await send('mal', -1, red);
    await send('mal', 0, { ...red, event_type: 'group' });
    expect(await shown('team')).toEqual({ red: 5 });
    await rebuildChangesNothing();
    await close();
  });

  it('of two accounts that are joined is whole', async () => {
    const { send, shown, rebuildChangesNothing, close } = await open();
    const red = { team_id: 'red' };
    for (const user of ['debt-old', 'debt']) await send(user, -3, red);
    for (const part of [-max, -max]) await send('deep-old', part, red);
    await send('deep', -9, red);
    for (const user of ['debt', 'deep']) {
      const params = { projectId: daemon.projectId, user: `${user}-old` };
      await daemon.client.call(personMoveRoutes.move, { params, body: { externalUserId: user } });
    }
    expect([await shown(), await shown('team')]).toEqual([{ debt: -6, deep: -max }, { red: -max }]);
    await rebuildChangesNothing();
    for (const part of [max, max]) await send('deep', part, red);
    expect([await shown(), await shown('team')]).toEqual([{ debt: -6, deep: -9 }, { red: -15 }]);
    await rebuildChangesNothing();
    await close();
  });
});
