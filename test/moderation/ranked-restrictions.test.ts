/** A ranked restriction: its person is on no board while it is in force, and back with every point when it ends. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { challengeRoutes } from '../../src/contract/gameplay/challenges.js';
import { gameplayRoutes } from '../../src/contract/gameplay/gameplay.js';
import { leaderboardExclusionRoutes } from '../../src/contract/gameplay/leaderboard-exclusions.js';
import { leaderboardRoutes } from '../../src/contract/gameplay/leaderboards.js';
import { playerRoutes } from '../../src/contract/gameplay/players.js';
import { reviewRoutes } from '../../src/contract/moderation/reviews.js';
import { type CreateSanctionRequest, sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import type { TestDaemon } from '../support/daemon.js';
import { describeDaemonsOnEachDatabase } from '../support/each-database.js';

import { openStream } from '../support/stream.js';

const Place = z.looseObject({ rank: z.int() });
const LeaderboardChange = z.object({
  payload: z.object({ data: z.object({ old_leaderboard_ranking: Place, new_leaderboard_ranking: Place }) }),
});

describeDaemonsOnEachDatabase('ranked restrictions', (start) => {
  let daemon: TestDaemon;
  let now = new Date('2026-03-01T10:00:00.000Z');
  let board: string;
  beforeAll(async () => {
    daemon = await start({ now: () => now });
    const body = { name: 'Kills', eventName: 'kill-enemy', resetPeriod: { range: 'd', atTime: '00:00' } } as const;
    ({ id: board } = await daemon.client.call(leaderboardRoutes.create, { params: project(), body }));
  });
  afterAll(() => daemon.stop());

  const project = () => ({ projectId: daemon.projectId });
  const item = (id: string) => ({ params: { ...project(), id } });
  const pass = (ms: number) => {
    now = new Date(now.getTime() + ms);
  };
  const kill = async (userId: string, amount: number) => {
    pass(1_000);
    const body = { event_name: 'kill-enemy', meta_data: { amount } };
    await daemon.admin.call(playerRoutes.sendEvent, { params: { ...project(), userId }, body });
  };
  const restrict = async (externalUserId: string, more: Partial<CreateSanctionRequest> = {}) => {
    const body: CreateSanctionRequest = { type: 'ranked_restriction', externalUserId, ...more };
    return (await daemon.client.call(sanctionRoutes.create, { params: project(), body })).id;
  };
  const ranking = async (periodId?: string) => {
    const query = periodId === undefined ? {} : { periodId };
    const { entries, total } = await daemon.client.call(leaderboardRoutes.ranking, { ...item(board), query });
    expect(entries).toHaveLength(total);
    return entries.map(({ rank, memberId, score }) => `${rank} ${memberId} ${score}`);
  };
  const memberOf = async (memberId: string) => {
    const params = { ...project(), id: board, memberType: 'user', memberId } as const;
    return await daemon.client.call(leaderboardRoutes.member, { params, query: { around: 1 } });
  };
  /** By an administrator, since an API key imposed the sanctions. */
  const overturn = async (sanctionId: string) => {
    const body = { statement: 'It was not me.' };
    const { id } = await daemon.client.call(reviewRoutes.appeal, { ...item(sanctionId), body });
    const decide = (body: object) => daemon.admin.call(reviewRoutes.update, { ...item(id), body });
    await decide({ status: 'claimed' });
    await decide({ status: 'decided', decision: 'overturned', answer: 'You are right.' });
  };

  it('take their person off the board, and an appeal puts them back with all they did meanwhile', async () => {
    for (const [user, amount] of [
      ['ann', 30],
      ['bob', 20],
      ['cem', 10],
    ] as const)
      await kill(user, amount);
    const sanction = await restrict('ann');
    expect(await ranking()).toEqual(['1 bob 20', '2 cem 10']);
    expect((await memberOf('ann')).member).toMatchObject({ rank: -1, score: 0 });
    expect(await memberOf('cem')).toMatchObject({
      member: { rank: 2 },
      around: [{ memberId: 'bob' }, { memberId: 'cem' }],
    });
    const overview = await daemon.client.call(playerRoutes.get, { params: { ...project(), userId: 'cem' } });
    expect(overview.leaderboards).toMatchObject([{ rank: 2, members: 2 }]);
    const stream = await openStream(
      `${daemon.url}/api/projects/${daemon.projectId}/events/stream?types=leaderboard.changed`,
      { 'X-API-Key': daemon.apiKey },
    );
    await kill('ann', 5);
    await kill('cem', 15);
    const page = { ...item(board), query: { limit: 1, offset: 1 } };
    expect((await daemon.client.call(leaderboardRoutes.ranking, page)).entries).toMatchObject([
      { rank: 2, memberId: 'bob' },
    ]);
    const changed = LeaderboardChange.parse((await stream.next()).data).payload.data;
    stream.close();
    expect([changed.old_leaderboard_ranking, changed.new_leaderboard_ranking]).toMatchObject([
      { rank: 2, score: 10 },
      { rank: 1, score: 25 },
    ]);
    await daemon.restart();
    expect(await ranking()).toEqual(['1 cem 25', '2 bob 20']);
    await overturn(sanction);
    expect(await ranking()).toEqual(['1 ann 35', '2 cem 25', '3 bob 20']);
    expect((await memberOf('ann')).member).toMatchObject({ rank: 1, score: 35 });
  });

  it('last until all of a person have ended: by the clock, or revoked', async () => {
    const first = await restrict('ann', { duration: 60 });
    const second = await restrict('ann', { duration: 3_600 });
    pass(61_000);
    expect(await ranking()).toEqual(['1 cem 25', '2 bob 20']);
    await daemon.client.call(sanctionRoutes.revoke, { ...item(second), body: {} });
    expect(await ranking()).toEqual(['1 ann 35', '2 cem 25', '3 bob 20']);
    expect(await daemon.client.call(sanctionRoutes.get, item(first))).toMatchObject({ status: 'expired' });
    await restrict('bob', { duration: 60 });
    expect(await ranking()).toEqual(['1 ann 35', '2 cem 25']);
    pass(60_000);
    expect(await ranking()).toEqual(['1 ann 35', '2 cem 25', '3 bob 20']);
  });

  it('leave who an operator excluded where they are, and hold for a board that closes meanwhile', async () => {
    const sanction = await restrict('ann');
    const exclusion = { params: project(), body: { userId: 'bob', leaderboardId: board } };
    await daemon.admin.call(leaderboardExclusionRoutes.exclude, exclusion);
    const other = await restrict('bob');
    await daemon.client.call(sanctionRoutes.revoke, { ...item(other), body: {} });
    expect(await ranking()).toEqual(['1 cem 25']);
    pass(86_400_000);
    await daemon.restart(); // logs in again
    await kill('cem', 1);
    const { periods } = await daemon.client.call(leaderboardRoutes.periods, { ...item(board), query: {} });
    const closed = periods[1]?.id ?? '';
    expect(await ranking(closed)).toEqual(['1 cem 25']);
    await overturn(sanction);
    expect(await ranking(closed)).toEqual(['1 ann 35', '2 cem 25']);
    expect(await ranking()).toEqual(['1 cem 1']);
  });

  it('hold progress where they say so, and give it back when revoked or overturned, also after their end', async () => {
    const body = { name: 'Ten down', eventName: 'kill-enemy', goal: 10 } as const;
    const { id } = await daemon.client.call(challengeRoutes.create, { params: project(), body });
    const player = (userId: string) => ({ params: { ...project(), userId, id } });
    const counterOf = async (userId: string) => {
      const { challenges } = await daemon.client.call(playerRoutes.get, { params: { ...project(), userId } });
      return challenges.find(({ challengeId }) => challengeId === id)?.counter;
    };
    for (const userId of ['dan', 'eve']) {
      await daemon.client.call(playerRoutes.unlock, player(userId));
      await daemon.client.call(playerRoutes.activate, player(userId));
    }
    const holds = { parameters: { holdsProgress: true } };
    await kill('dan', 1);
    const first = await restrict('dan', holds);
    const second = await restrict('dan', { ...holds, duration: 60 });
    await restrict('eve');
    await kill('dan', 2);
    await kill('eve', 2);
    expect([await counterOf('dan'), await counterOf('eve')]).toEqual([1, 2]);
    await daemon.client.call(sanctionRoutes.revoke, { ...item(first), body: {} });
    await kill('dan', 3);
    await sleep(5_000);
    expect(await counterOf('dan')).toBe(1);
    pass(60_000);
    await daemon.restart();
    await kill('dan', 1);
    expect(await counterOf('dan')).toBe(2);
    await overturn(second);
    await expect.poll(() => counterOf('dan'), { timeout: 20_000 }).toBe(7);
  });

  it('hold what their person plays in challenges in progress, whatever others send together with it', async () => {
    const body = { name: 'Three points', eventName: 'earn-points', goal: 3 } as const;
    const { id } = await daemon.client.call(challengeRoutes.create, { params: project(), body });
    const begin = async (userId: string) => {
      for (const step of ['unlock', 'activate'] as const)
        await daemon.client.call(playerRoutes[step], { params: { ...project(), userId, id } });
    };
    await begin('fay');
    const sanction = await restrict('gus', { parameters: { holdsProgress: true } });
    pass(1_000);
    const together = ['gus', 'fay'].map((user_id) => ({
      user_id,
      event_name: 'earn-points',
      meta_data: { amount: 1 },
    }));
    await daemon.client.call(gameplayRoutes.sendEvents, { query: {}, body: { events: together } });
    await begin('gus');
    await daemon.client.call(sanctionRoutes.revoke, { ...item(sanction), body: {} });
    await sleep(5_000);
    const { challenges } = await daemon.client.call(playerRoutes.get, { params: { ...project(), userId: 'gus' } });
    expect(challenges.find(({ challengeId }) => challengeId === id)).toMatchObject({ counter: 0 });
  });

  it('are the only kind of sanction that holds progress', async () => {
    const body: CreateSanctionRequest = { type: 'mute', externalUserId: 'dan', parameters: { holdsProgress: true } };
    await expect(daemon.client.call(sanctionRoutes.create, { params: project(), body })).rejects.toMatchObject({
      code: 'sanction_parameters_invalid',
    });
  });
});
