/** A year of weekly seasons and a month of a session, with a clock that jumps, also to and fro. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { gameplayRoutes } from '../../src/contract/gameplay/gameplay.js';
import { leaderboardRoutes } from '../../src/contract/gameplay/leaderboards.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import type { TestDaemon } from '../support/daemon.js';
import { describeDaemonsOnEachDatabase } from '../support/each-database.js';
import { eventually } from '../support/eventually.js';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

describeDaemonsOnEachDatabase('long times', (start) => {
  let daemon: TestDaemon;
  // A Thursday, noon.
  let nowMs = Date.parse('2026-01-01T12:00:00.000Z');
  beforeAll(async () => {
    daemon = await start({ now: () => new Date(nowMs) });
  });
  afterAll(() => daemon.stop());

  const params = () => ({ projectId: daemon.projectId });

  it('count each event in the week in which it came, for a year', async () => {
    const { id } = await daemon.client.call(leaderboardRoutes.create, {
      params: params(),
      body: { name: 'Week', eventName: 'kill-enemy', resetPeriod: { range: 'w' } },
    });
    const kill = () =>
      daemon.client.call(gameplayRoutes.sendEvent, {
        body: { user_id: 'ann', event_name: 'kill-enemy', event_type: 'single', meta_data: { amount: 1 } },
      });
    const scoreIn = async (periodId?: string) => {
      const query = periodId === undefined ? {} : { periodId };
      const { entries } = await daemon.client.call(leaderboardRoutes.ranking, { params: { ...params(), id }, query });
      return entries[0]?.score ?? 0;
    };
    for (let week = 0; week < 52; week += 1) {
      await kill();
      // Two hours back and forth again, as a time server sets a clock that went wrong.
      nowMs -= 2 * hourMs;
      await kill();
      expect(await scoreIn()).toBe(2);
      nowMs += 2 * hourMs + 7 * dayMs;
    }
    const page = { params: { ...params(), id }, query: { limit: 100 } };
    const { periods } = await daemon.client.call(leaderboardRoutes.periods, page);
    const archived = periods.filter(({ isCurrent }) => !isCurrent);
    expect(archived).toHaveLength(52);
    expect(await Promise.all(archived.map((one) => scoreIn(one.id)))).toEqual(Array(52).fill(2));
    const starts = periods.map(({ startsAt }) => Date.parse(startsAt));
    expect(starts).toEqual(starts.toSorted((one, other) => other - one));
  });

  it('end sanctions once, also where the clock is set back before their end and after it', async () => {
    const body = { type: 'mute' as const, externalUserId: 'ben', duration: (7 * dayMs) / 1_000 };
    const { id } = await daemon.client.call(sanctionRoutes.create, { params: params(), body });
    const status = async () => (await daemon.client.call(sanctionRoutes.get, { params: { ...params(), id } })).status;
    for (const [stepMs, expected] of [
      [6 * dayMs, 'active'],
      [-5 * dayMs, 'active'],
      [6.5 * dayMs, 'expired'],
    ] as const) {
      nowMs += stepMs;
      expect(await status()).toBe(expected);
    }
    const isActive = async () => {
      const query = { externalUserId: 'ben', status: 'expired' as const };
      return (await daemon.client.call(sanctionRoutes.list, { params: params(), query })).total;
    };
    await eventually(async () => expect(await isActive()).toBe(1));
  });

  it('keep the transcript of a session whole, for a month', async () => {
    const { id } = await daemon.client.call(sessionRoutes.create, {
      params: params(),
      body: { title: 'Month', externalRoomId: 'hall', autoStart: false },
    });
    const item = { params: { ...params(), id } };
    for (let day = 0; day < 31; day += 1) {
      await daemon.client.call(sessionRoutes.say, { ...item, body: { externalUserId: 'ann', content: `day ${day}` } });
      nowMs += dayMs;
    }
    const messages = await daemon.client.call(sessionRoutes.messages, { ...item, query: { limit: 100 } });
    expect(messages.map(({ content }) => content)).toEqual(Array.from({ length: 31 }, (_, day) => `day ${day}`));
  });
});
