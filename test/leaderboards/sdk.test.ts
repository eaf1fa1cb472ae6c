/** Leaderboards through the public SDK of the hosted service, unmodified, against a whole daemon. */
import { AuthApi, Configuration, EventsApi, LeaderboardsApi } from '@scillgame/scill-js';
import mqtt from 'mqtt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { type CreateLeaderboardRequest, leaderboardRoutes } from '../../src/contract/gameplay/leaderboards.js';
import { LeaderboardUpdatePayload, playerLeaderboardRoutes } from '../../src/contract/gameplay/player-leaderboards.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { eventually } from '../support/eventually.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

const configuration = (accessToken: string, apiKey?: 'api_key' | 'access_token') =>
  new Configuration({ accessToken, basePath: daemon.url, ...(apiKey === undefined ? {} : { apiKey }) });
const enter = async (user_id: string) => {
  const { token = '' } = await new AuthApi(configuration(daemon.apiKey)).generateAccessToken({ user_id });
  return { auth: new AuthApi(configuration(token)), boards: new LeaderboardsApi(configuration(token)) };
};
const send = (user_id: string, amount: number, more: { team_id?: string; event_type?: string } = {}) =>
  new EventsApi(configuration(daemon.apiKey, 'api_key')).sendEvent({
    ...{ user_id, event_name: 'earn-points', meta_data: { amount }, ...more },
  });
const create = (body: Partial<CreateLeaderboardRequest> = {}) =>
  daemon.client.call(leaderboardRoutes.create, {
    params: { projectId: daemon.projectId },
    body: { name: { en: 'Points', de: 'Punkte' }, eventName: 'earn-points', ...body },
  });
const remove = (id: string) =>
  daemon.client.call(leaderboardRoutes.delete, { params: { projectId: daemon.projectId, id } });
/** The SDK throws the answer of a refusal. */
const statusOf = (promise: Promise<unknown>): Promise<number> =>
  promise.then(
    () => 200,
    (response: unknown) => (response instanceof Object && 'status' in response ? Number(response.status) : 0),
  );
const told = (rows: readonly { member_id?: string; rank?: number; score?: number }[] = []) =>
  rows.map(({ member_id, rank, score }) => `${rank} ${member_id} ${score}`);

describe('LeaderboardsApi', () => {
  it('ranks users and teams, with their stored info, page by page', async () => {
    const { id } = await create();
    const { auth, boards } = await enter('ann');
    await auth.setUserInfo({ username: 'Ann', avatarImage: 'knight.png' });
    await send('ann', 5, { team_id: 'red' });
    await send('ben', 9, { team_id: 'red' });
    await send('cem', 7, { team_id: 'blue' });
    await send('ann', 4);
    const board = await boards.getLeaderboard(id, 1, 2, 'de');
    expect(board).toMatchObject({ leaderboard_id: id, name: 'Punkte', num_users: 3, num_teams: 2 });
    expect(told(board.grouped_by_users)).toEqual(['1 ben 9', '2 ann 9']);
    expect(told(board.grouped_by_teams)).toEqual(['1 red 14', '2 blue 7']);
    expect(board.grouped_by_users?.[1]).toEqual({
      ...{ member_id: 'ann', member_type: 'user', score: 9, rank: 2 },
      additional_info: { username: 'Ann', avatarImage: 'knight.png' },
    });
    expect(board.grouped_by_teams?.[0]?.additional_info).toEqual({});
    expect(told((await boards.getLeaderboard(id, 2, 2)).grouped_by_users)).toEqual(['3 cem 7']);
    expect((await boards.getLeaderboard(id, 9, 2)).grouped_by_users).toEqual([]);
    await remove(id);
  });

  it('lists the periods of a board to a player, and says when it is reset', async () => {
    const { id } = await create({ resetPeriod: { range: 'w', atTime: '04:00', timeZone: 'Europe/Berlin' } });
    const { token = '' } = await new AuthApi(configuration(daemon.apiKey)).generateAccessToken({ user_id: 'ann' });
    const player = new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token } });
    const periods = (leaderboardId: string, query = {}) =>
      player.call(playerLeaderboardRoutes.periods, { params: { leaderboardId }, query });
    await send('ann', 5);
    const first = await periods(id);
    expect(first).toMatchObject({
      total: 1,
      periods: [{ isCurrent: true, endsAt: expect.stringMatching(/T0[23]:00:00/) }],
    });
    expect(Date.parse(first.periods[0]?.endsAt ?? '')).toBeGreaterThan(Date.now());
    await daemon.client.call(leaderboardRoutes.reset, { params: { projectId: daemon.projectId, id } });
    const { periods: both, total } = await periods(id, { limit: 1, offset: 1 });
    expect({ total, both }).toMatchObject({ total: 2, both: [{ id: first.periods[0]?.id, isCurrent: false }] });
    const query = { period_id: both[0]?.id };
    const before = await player.call(playerLeaderboardRoutes.get, { params: { leaderboardId: id }, query });
    expect(told(before.grouped_by_users)).toEqual(['1 ann 5']);
    await expect(periods('nowhere')).rejects.toMatchObject({ status: 404, code: 'leaderboard_not_found' });
    await remove(id);
  });

  it('lists every board, and where a member stands on each; -1 where it does not', async () => {
    const all = await create();
    const bossesOnly = await create({ eventName: 'defeat-boss' });
    await send('ann', 5, { team_id: 'red' });
    const { boards } = await enter('ben');
    expect((await boards.getLeaderboards()).map(({ leaderboard_id }) => leaderboard_id)).toEqual([
      all.id,
      bossesOnly.id,
    ]);
    expect((await boards.getLeaderboards(2, 1)).map(({ leaderboard_id }) => leaderboard_id)).toEqual([bossesOnly.id]);
    const standings = await boards.getLeaderboardRankings('user', 'ann');
    expect(standings.map(({ member }) => told(member === undefined ? [] : [member]))).toEqual([
      ['1 ann 5'],
      ['-1 ann 0'],
    ]);
    const red = await boards.getLeaderboardRanking('team', 'red', all.id);
    expect(red).toMatchObject({
      leaderboard_id: all.id,
      name: 'Points',
      member: { member_type: 'team', rank: 1, score: 5 },
    });
    expect((await boards.getLeaderboardRanking('user', 'nobody', all.id)).member).toMatchObject({ rank: -1, score: 0 });
    await Promise.all([all.id, bossesOnly.id].map(remove));
  });

  it('knows neither an unknown board nor an unknown kind of member', async () => {
    const { auth, boards } = await enter('ann');
    expect(await statusOf(boards.getLeaderboard('no-such-board'))).toBe(404);
    expect(await statusOf(boards.getLeaderboardRanking('user', 'ann', 'no-such-board'))).toBe(404);
    expect(await statusOf(boards.getLeaderboardRankings('clan', 'ann'))).toBe(400);
    expect(await statusOf(boards.getLeaderboards(0))).toBe(400);
    expect(await statusOf(auth.getLeaderboardNotificationTopic('no-such-board'))).toBe(404);
    expect(await statusOf(new LeaderboardsApi(configuration('no token')).getLeaderboards())).toBe(401);
  });

  it('announces changes on the topic of whoever asks: the first at once, then the last of each second', async () => {
    const { id } = await create();
    const { auth } = await enter('watcher');
    const { topic = '' } = await auth.getLeaderboardNotificationTopic(id);
    expect((await (await enter('other')).auth.getLeaderboardNotificationTopic(id)).topic).not.toBe(topic);
    const heard: LeaderboardUpdatePayload[] = [];
    const client = await mqtt.connectAsync(daemon.mqttUrl);
    client.on('message', (_, payload) => heard.push(LeaderboardUpdatePayload.parse(JSON.parse(payload.toString()))));
    await client.subscribeAsync(topic);
    for (let sent = 0; sent < 30; sent += 1) await send('ann', 1);
    await send('ben', 100);
    const ofAnn = () => heard.filter(({ member_data }) => member_data.member_id === 'ann');
    await eventually(() => expect(ofAnn().at(-1)?.new_leaderboard_ranking).toEqual({ score: 30, rank: 1 }));
    expect(ofAnn()[0]).toEqual({
      webhook_type: 'leaderboard-ranking-changed',
      leaderboard_data: {
        ...{ app_id: daemon.projectId, leaderboard_id: id, name: 'Points' },
        ...{ event_type: 'earn-points', sort_order_ascending: false },
      },
      member_data: { member_id: 'ann', member_type: 'user', score: 1, rank: 1, additional_info: expect.anything() },
      old_leaderboard_ranking: { score: 0, rank: -1 },
      new_leaderboard_ranking: { score: 1, rank: 1 },
    });
    expect(ofAnn().length).toBeLessThan(30);
    const ofBen = () => heard.filter(({ member_data }) => member_data.member_id === 'ben');
    await eventually(() => expect(ofBen()).toHaveLength(1));
    await client.endAsync();
    await remove(id);
  });
});
