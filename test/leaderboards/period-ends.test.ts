/** The end of a board's period, when nobody plays and nobody reads. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { leaderboardRoutes } from '../../src/contract/gameplay/leaderboards.js';
import { LeaderboardUpdatePayload } from '../../src/contract/gameplay/player-leaderboards.js';
import { playerRoutes } from '../../src/contract/gameplay/players.js';
import type { TestDaemon } from '../support/daemon.js';
import { describeDaemonsOnEachDatabase } from '../support/each-database.js';
import { openStream } from '../support/stream.js';
import { rebuilding } from './support.js';

const dayMs = 86_400_000;
const Change = z.object({ payload: z.object({ data: LeaderboardUpdatePayload }) });

describeDaemonsOnEachDatabase('the end of a period', (start) => {
  let daemon: TestDaemon;
  let now = Date.parse('2026-03-01T10:00:00.000Z');
  let board: { projectId: string; id: string };
  beforeAll(async () => {
    daemon = await start({ now: () => new Date(now) });
    const { projectId } = daemon;
    const body = { name: 'Kills', eventName: 'kill-enemy', resetPeriod: { range: 'd', atTime: '00:00' } } as const;
    const { id } = await daemon.client.call(leaderboardRoutes.create, { params: { projectId }, body });
    board = { projectId, id };
  });
  afterAll(() => daemon.stop());

  const kill = async (userId: string) => {
    now += 1_000;
    const body = { event_name: 'kill-enemy', meta_data: { amount: 3 } };
    await daemon.client.call(playerRoutes.sendEvent, { params: { projectId: board.projectId, userId }, body });
  };
  const periods = async () => {
    const { periods } = await daemon.client.call(leaderboardRoutes.periods, { params: board, query: {} });
    return periods.map(({ startsAt }) => startsAt.slice(0, 10));
  };

  it('is announced by itself, and reading makes no period in which nothing was sent', async () => {
    await kill('ann');
    const types = `${daemon.url}/api/projects/${board.projectId}/events/stream?types=leaderboard.changed`;
    const stream = await openStream(types, { 'X-API-Key': daemon.apiKey });
    now += dayMs;
    const told = Change.parse((await stream.next()).data).payload.data;
    stream.close();
    expect(told).toMatchObject({
      member_data: { member_id: 'ann' },
      ...{ old_leaderboard_ranking: { rank: 1, score: 3 }, new_leaderboard_ranking: { rank: -1, score: 0 } },
    });
    for (let day = 0; day < 3; day += 1) {
      now += dayMs;
      await daemon.restart(); // signs in again
      expect((await daemon.client.call(leaderboardRoutes.ranking, { params: board, query: {} })).total).toBe(0);
    }
    expect(await periods()).toEqual(['2026-03-05', '2026-03-01']);
    await kill('ben');
    now += dayMs;
    expect(await periods()).toEqual(['2026-03-06', '2026-03-05', '2026-03-01']);
  });

  it('that a moment of a fast clock brought takes nothing that is sent afterwards from a rebuild', async () => {
    await kill('ann');
    now += dayMs;
    await kill('ben');
    now -= dayMs;
    await daemon.restart(); // signs in again
    for (const user of ['ann', 'ann', 'ben']) await kill(user);
    const ranking = async () => {
      const { entries } = await daemon.client.call(leaderboardRoutes.ranking, { params: board, query: {} });
      return entries.map(({ memberId, score }) => `${memberId} ${score}`);
    };
    expect(await ranking()).toEqual(['ann 6', 'ben 6']);
    const { make, apply } = rebuilding(daemon.client, board);
    expect(await apply((await make({})).id)).toMatchObject({ changed: 0 });
    expect(await ranking()).toEqual(['ann 6', 'ben 6']);
  });
});
