/** The public SDK of the hosted service, unmodified, against a whole daemon: only its base address is changed. */
import { AuthApi, BattlePassesApi, ChallengesApi, Configuration, EventsApi } from '@scillgame/scill-js';
import mqtt, { type MqttClient } from 'mqtt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BattlePassLevel, battlePassLevelRoutes } from '../../src/contract/gameplay/battle-pass-levels.js';
import { battlePassProgressRoutes } from '../../src/contract/gameplay/battle-pass-progress.js';
import { battlePassRoutes } from '../../src/contract/gameplay/battle-passes.js';
import { challengeCategoryRoutes } from '../../src/contract/gameplay/challenge-categories.js';
import { challengeRoutes } from '../../src/contract/gameplay/challenges.js';
import { gameEvents, propertiesOf, propertyType } from '../../src/contract/gameplay/game-events.js';
import { playerRoutes } from '../../src/contract/gameplay/players.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { eventually } from '../support/eventually.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

const configuration = (accessToken: string, apiKey?: 'api_key' | 'access_token') =>
  new Configuration({ accessToken, basePath: daemon.url, ...(apiKey === undefined ? {} : { apiKey }) });
const backEnd = () => new EventsApi(configuration(daemon.apiKey, 'api_key'));

/** Lets a player in, as a game does. */
const enter = async (user_id: string) => {
  const { token = '' } = await new AuthApi(configuration(daemon.apiKey)).generateAccessToken({ user_id });
  return {
    token,
    auth: new AuthApi(configuration(token)),
    challenges: new ChallengesApi(configuration(token)),
    battlePasses: new BattlePassesApi(configuration(token)),
    events: new EventsApi(configuration(token, 'access_token')),
  };
};
const createChallenge = (
  body: Partial<Parameters<typeof daemon.client.call<typeof challengeRoutes.create>>[1]['body']> = {},
) =>
  daemon.client.call(challengeRoutes.create, {
    params: { projectId: daemon.projectId },
    body: { name: { en: 'Kill three', de: 'Töte drei' }, eventName: 'kill-enemy', goal: 3, ...body },
  });
/** The SDK throws the answer of a refusal. */
const statusOf = (promise: Promise<unknown>): Promise<number> =>
  promise.then(
    () => 200,
    (response: unknown) => (response instanceof Object && 'status' in response ? Number(response.status) : 0),
  );

describe('AuthApi', () => {
  it('makes tokens that the SDK tells from keys by their length', async () => {
    expect(daemon.apiKey.length).toBeLessThanOrEqual(64);
    expect((await enter('u1')).token.length).toBeGreaterThan(64);
  });

  it('keeps the user info under both of its addresses', async () => {
    const { auth, token } = await enter('u_info');
    expect(await auth.getUserInfo()).toEqual({ username: null, avatarImage: null });
    const info = { username: 'Ann', avatarImage: 'knight.png' };
    expect(await auth.setUserInfo(info)).toEqual(info);
    expect(await auth.getUserInfo()).toEqual(info);
    const headers = { Authorization: `Bearer ${token}` };
    const documented = await fetch(`${daemon.url}/api/v1/auth/user-additional-info`, { headers });
    expect(await documented.json()).toEqual(info);
  });

  it('answers 403 to a token that is not valid, so that clients renew it', async () => {
    const { token } = await enter('u1');
    const forged = new AuthApi(configuration(`${token.slice(0, -4)}AAAA`));
    expect(await statusOf(forged.getUserInfo())).toBe(403);
    expect(await statusOf(new AuthApi(configuration('no key at all')).getUserInfo())).toBe(401);
  });

  it('names the same topic each time, another one for each player and object', async () => {
    const { id } = await createChallenge();
    const [one, other] = [await enter('u1'), await enter('u2')];
    const topics = [
      await one.auth.getUserChallengesNotificationTopic(),
      await one.auth.getUserChallengeNotificationTopic(id),
      await other.auth.getUserChallengesNotificationTopic(),
      await other.auth.getUserChallengeNotificationTopic(id),
    ].map(({ topic }) => topic);
    expect(new Set(topics).size).toBe(4);
    for (const topic of topics) expect(topic).toMatch(/^[0-9a-f]{32}$/);
    expect((await one.auth.getUserChallengesNotificationTopic()).topic).toBe(topics[0]);
    expect(await statusOf(one.auth.getUserChallengeNotificationTopic('no-such-challenge'))).toBe(404);
  });
});

describe('EventsApi', () => {
  it('describes the 66 events to anybody', async () => {
    const described = await new EventsApi(new Configuration({ basePath: daemon.url })).getAvailableEvents();
    expect(described).toHaveLength(66);
    expect(described.find(({ event_name }) => event_name === 'achieve-score')).toEqual({
      event_name: 'achieve-score',
      required_properties: [{ property_name: 'score', property_type: 'number' }],
      optional_properties: [
        { property_name: 'required_time', property_type: 'number' },
        { property_name: 'time_condition', property_type: 'string' },
      ],
    });
  });

  it.each(gameEvents.map((event) => [event.name, event] as const))(
    'takes %s and acknowledges it',
    async (name, event) => {
      const meta_data = Object.fromEntries(propertiesOf(event).map((p) => [p, propertyType(p) === 'number' ? 7 : 'x']));
      const body = { user_id: 'u_all', event_name: name, event_type: 'single', session_id: 's', meta_data };
      expect(await backEnd().sendEvent(body)).toEqual({ status: 200, message: 'OK' });
    },
  );

  it('takes the user of the client form from the token', async () => {
    const { events } = await enter('u1');
    expect(await events.sendEvent({ event_name: 'match-start' })).toEqual({ status: 200, message: 'OK' });
    expect(await statusOf(events.sendEvent({ event_name: 'match-start', user_id: 'u2' }))).toBe(400);
  });

  it('refuses a credential that is not of the kind it is said to be', async () => {
    const { token } = await enter('u1');
    const event = { event_name: 'match-start', user_id: 'u1' };
    expect(await statusOf(new EventsApi(configuration(token, 'api_key')).sendEvent(event))).toBe(401);
    expect(await statusOf(new EventsApi(configuration(token)).sendEvent(event))).toBe(401);
    expect(await statusOf(new EventsApi(configuration(daemon.apiKey, 'access_token')).sendEvent(event))).toBe(403);
  });
});

describe('ChallengesApi', () => {
  it('takes a challenge through its life, with a message on the topic for every step', async () => {
    const { id } = await createChallenge({ reward: 'sword', xp: 5 });
    const { auth, challenges, token } = await enter('u_life');
    const { topic } = await auth.getUserChallengesNotificationTopic();
    const heard: { new_challenge: { challenge_id: string; type: string; user_challenge_current_score: number } }[] = [];
    const client: MqttClient = await mqtt.connectAsync(daemon.mqttUrl);
    client.on('message', (_, payload) => heard.push(JSON.parse(payload.toString())));
    await client.subscribeAsync(topic);

    const unlocked = await challenges.unlockPersonalChallenge(daemon.projectId, id);
    expect(unlocked).toMatchObject({ message: 'OK', challenge: { challenge_id: id, type: 'unlocked' } });
    await challenges.activatePersonalChallenge(daemon.projectId, id);
    for (let kills = 0; kills < 3; kills += 1) {
      await backEnd().sendEvent({ user_id: 'u_life', event_name: 'kill-enemy', meta_data: { amount: 1 } });
    }
    const claimed = await challenges.claimPersonalChallengeReward(daemon.projectId, id, 'de');
    expect(claimed).toMatchObject({
      status: 200,
      challenge: {
        challenge_name: 'Töte drei',
        challenge_goal: 3,
        user_challenge_current_score: 3,
        challenge_reward: 'sword',
        challenge_xp: 5,
        type: 'finished',
        is_claimed: true,
      },
    });

    await eventually(() => expect(heard).toHaveLength(6));
    expect(
      heard.map(({ new_challenge: { type, user_challenge_current_score } }) => [type, user_challenge_current_score]),
    ).toEqual([
      ['unlocked', 0],
      ['in-progress', 0],
      ['in-progress', 1],
      ['in-progress', 2],
      ['unclaimed', 3],
      ['finished', 3],
    ]);
    const last = heard.at(-1);
    expect(last).toMatchObject({
      webhook_type: 'challenge-changed',
      category_position: 0,
      new_challenge: { user_id: 'u_life' },
    });
    expect(last?.new_challenge).not.toHaveProperty('challenge_name');
    await client.endAsync();
    expect(token).not.toBe('');
  });

  it('answers an unlock with 201, and what was done already with 402', async () => {
    const { id } = await createChallenge();
    const { token } = await enter('u_status');
    const unlock = () =>
      fetch(`${daemon.url}/api/v1/challenges/personal/unlock/${daemon.projectId}/${id}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}` },
      });
    expect((await unlock()).status).toBe(201);
    const again = await unlock();
    expect(again.status).toBe(402);
    expect(await again.json()).toMatchObject({ status_code: 402, error_slug: 'action_not_possible' });
  });

  it('lists by category, in order, whole and in part', async () => {
    const category = (slug: string, position: number) =>
      daemon.client.call(challengeCategoryRoutes.create, {
        params: { projectId: daemon.projectId },
        body: { name: slug, slug, position },
      });
    const [late, early] = [await category('late', 90), await category('early', 80)];
    const [a, b] = [await createChallenge({ categoryId: late.id }), await createChallenge({ categoryId: early.id })];
    const { challenges } = await enter('u_list');
    const slugs = (list: { category_slug?: string }[]) => list.map(({ category_slug }) => category_slug);
    const ids = (list: { challenges?: { challenge_id?: string }[] }[]) =>
      list.flatMap((entry) => (entry.challenges ?? []).map(({ challenge_id }) => challenge_id));

    const all = await challenges.getAllPersonalChallenges(daemon.projectId);
    expect(slugs(all).slice(-2)).toEqual(['early', 'late']);
    expect(all.map(({ category_position }) => category_position)).toEqual(all.map((_, index) => index));
    expect(ids(await challenges.getAllPersonalChallenges(daemon.projectId, ['early', late.id]))).toEqual([b.id, a.id]);
    expect(ids(await challenges.getAllPersonalChallenges(daemon.projectId, ['early', ` ${late.id} `]))).toEqual([
      b.id,
      a.id,
    ]);
    expect(slugs(await challenges.getAllPersonalChallenges(daemon.projectId, [], [early.id, 'late']))).not.toContain(
      'early',
    );

    await challenges.unlockPersonalChallenge(daemon.projectId, a.id);
    await challenges.activatePersonalChallenge(daemon.projectId, a.id);
    expect(ids(await challenges.getActivePersonalChallenges(daemon.projectId))).toEqual([a.id]);
    await backEnd().sendEvent({ user_id: 'u_list', event_name: 'kill-enemy', meta_data: { amount: 3 } });
    await challenges.claimPersonalChallengeReward(daemon.projectId, a.id);
    expect(ids(await challenges.getPersonalChallenges(daemon.projectId))).not.toContain(a.id);
    expect(ids(await challenges.getUnresolvedPersonalChallenges(daemon.projectId))).not.toContain(a.id);
    expect(ids(await challenges.getAllPersonalChallenges(daemon.projectId))).toContain(a.id);
    expect(await challenges.getPersonalChallengeById(daemon.projectId, a.id)).toMatchObject({ type: 'finished' });
  });

  it('cancels, and knows neither a foreign app nor a foreign challenge', async () => {
    const { id } = await createChallenge();
    const { challenges } = await enter('u_cancel');
    await challenges.unlockPersonalChallenge(daemon.projectId, id);
    await challenges.cancelPersonalChallenge(daemon.projectId, id);
    expect(await challenges.getPersonalChallengeById(daemon.projectId, id)).toMatchObject({ type: 'unlock' });
    expect(await statusOf(challenges.getAllPersonalChallenges('another-app'))).toBe(404);
    expect(await statusOf(challenges.unlockPersonalChallenge(daemon.projectId, 'no-such-challenge'))).toBe(404);
  });

  it('makes a token for the connection to the topics', async () => {
    const { challenges } = await enter('u1');
    const { socket_token: password } = await challenges.generateWebsocketAccessToken();
    const client = await mqtt.connectAsync(daemon.mqttUrl, { username: 'u1', password });
    await client.endAsync();
  });
});

describe('BattlePassesApi', () => {
  type PassBody = Partial<Parameters<typeof daemon.client.call<typeof battlePassRoutes.create>>[1]['body']>;
  /** A pass of as many levels as there are goals; each level has one challenge. */
  const createPass = async (goals: readonly number[], body: PassBody = {}) => {
    const params = { projectId: daemon.projectId };
    const name = { en: 'Season', de: 'Saison' };
    const pass = await daemon.client.call(battlePassRoutes.create, { params, body: { name, ...body } });
    const levels: BattlePassLevel[] = [];
    for (const [index, goal] of goals.entries()) {
      const challenge = { name: { en: 'Kill', de: 'Töte' }, eventName: 'kill-enemy' as const, goal };
      const level = { position: index + 1, rewardType: 'coin', rewardAmount: '100', challenges: [challenge] };
      levels.push(
        await daemon.client.call(battlePassLevelRoutes.create, { params: { ...params, id: pass.id }, body: level }),
      );
    }
    return { pass, levels, ids: levels.map(({ id }) => id) };
  };
  const kill = (user_id: string, amount: number) =>
    backEnd().sendEvent({ user_id, event_name: 'kill-enemy', meta_data: { amount } });
  const idsOf = (list: { battle_pass_id?: string }[]) => list.map(({ battle_pass_id }) => battle_pass_id);

  it('takes a pass from unlocking to the last reward, with a message on its topic for every step', async () => {
    const { pass, levels, ids } = await createPass([2, 1]);
    const { projectId } = daemon;
    const { auth, battlePasses, token } = await enter('u_pass');
    const inProject = (userId: string) => ({ projectId, userId });
    const { topic = '' } = await auth.getUserBattlePassNotificationTopic(pass.id);
    expect((await auth.getUserBattlePassNotificationTopic(pass.id)).topic).toBe(topic);
    type Heard = Record<string, { type?: string; user_challenge_current_score?: number; level_id?: string }>;
    const heard: Heard[] = [];
    const client: MqttClient = await mqtt.connectAsync(daemon.mqttUrl);
    client.on('message', (_, payload) => heard.push(JSON.parse(payload.toString())));
    await client.subscribeAsync(topic);

    expect(await battlePasses.getBattlePass(projectId, pass.id, 'de')).toMatchObject({
      app_id: projectId,
      battle_pass_name: 'Saison',
      is_active: true,
      is_unlocked_incrementally: true,
      unlocked_at: null,
    });
    const payment = { purchase_price: 9.99, purchase_currency: 'EUR' };
    expect(await battlePasses.unlockBattlePass(projectId, pass.id, payment)).toMatchObject({
      ...payment,
      battle_pass_id: pass.id,
      user_id: 'u_pass',
      battle_pass_completed: false,
    });
    expect(await statusOf(battlePasses.unlockBattlePass(projectId, pass.id, payment))).toBe(402);
    // Players can change what their game states, so only a server gives premium.
    const own = async () => (await daemon.client.call(playerRoutes.get, { params: inProject('u_pass') })).battlePasses;
    expect(await own()).toMatchObject([{ purchasePrice: 9.99, purchaseCurrency: 'EUR', premiumAt: null }]);
    const forged = await fetch(
      `${daemon.url}/api/projects/${projectId}/players/u_pass/battle-passes/${pass.id}/premium`,
      {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body: '{}',
      },
    );
    expect(forged.status).toBe(401);
    const premium = { params: { ...inProject('u_pass'), id: pass.id }, body: {} };
    expect(await daemon.client.call(battlePassProgressRoutes.premium, premium)).toMatchObject({
      ...{ purchasePrice: 9.99, premiumAt: expect.any(String) },
    });

    expect(await battlePasses.activateBattlePassLevel(projectId, ids[0] ?? '')).toEqual({ status: 200, message: 'OK' });
    for (const amount of [1, 1, 1]) await kill('u_pass', amount);
    expect(await battlePasses.getBattlePassLevels(projectId, pass.id, 'de')).toMatchObject([
      {
        level_id: ids[0],
        level_priority: 1,
        level_completed: true,
        reward_claimed: false,
        level_reward_type: 'coin',
        reward_type_name: 'Coins',
        reward_amount: '100',
        challenges: [{ challenge_name: 'Töte', type: 'finished', user_challenge_current_score: 2, challenge_goal: 2 }],
      },
      { level_id: ids[1], level_completed: true, challenges: [{ type: 'finished', user_challenge_current_score: 1 }] },
    ]);
    for (const id of ids) await battlePasses.claimBattlePassLevelReward(projectId, id);
    expect(await statusOf(battlePasses.claimBattlePassLevelReward(projectId, ids[0] ?? ''))).toBe(402);

    await eventually(() => expect(heard).toHaveLength(7));
    expect(
      heard.map(({ new_battle_pass_challenge: now, battle_pass_level_reward_claimed: reward }) =>
        now === undefined ? ['claimed', reward?.level_id] : [now.level_id, now.type, now.user_challenge_current_score],
      ),
    ).toEqual([
      [ids[0], 'in-progress', 0],
      [ids[0], 'in-progress', 1],
      [ids[0], 'finished', 2],
      [ids[1], 'in-progress', 0],
      [ids[1], 'finished', 1],
      ['claimed', ids[0]],
      ['claimed', ids[1]],
    ]);
    expect(heard[0]).toEqual({
      webhook_type: 'battlepass-challenge-changed',
      old_battle_pass_challenge: expect.objectContaining({ type: 'unlock' }),
      new_battle_pass_challenge: {
        app_id: projectId,
        battle_pass_id: pass.id,
        level_id: ids[0],
        user_id: 'u_pass',
        level_position_index: 0,
        challenge_id: levels[0]?.challenges[0]?.id,
        challenge_position_index: 0,
        challenge_goal: 2,
        user_challenge_current_score: 0,
        type: 'in-progress',
      },
    });
    expect(heard.at(-1)).toEqual({
      webhook_type: 'battlepass-level-reward-claimed',
      battle_pass_level_reward_claimed: {
        app_id: projectId,
        battle_pass_id: pass.id,
        level_id: ids[1],
        user_id: 'u_pass',
        level_position_index: 1,
        reward_amount: '100',
        reward_type_name: 'Coins',
      },
    });
    await client.endAsync();
  });

  it('lists passes by priority: all, those that run, and those that the player has unlocked', async () => {
    const far = '2999-01-01T00:00:00Z';
    const later = (await createPass([1], { priority: 2, startDate: far })).pass.id;
    const now = (await createPass([1], { priority: 1, endDate: far })).pass.id;
    const { battlePasses } = await enter('u_passes');
    const ours = (list: { battle_pass_id?: string }[]) => idsOf(list).filter((id) => id === later || id === now);
    const { projectId } = daemon;
    expect(ours(await battlePasses.getBattlePasses(projectId))).toEqual([now, later]);
    expect(ours(await battlePasses.getActiveBattlePasses(projectId))).toEqual([now]);
    expect(await battlePasses.getUnlockedBattlePasses(projectId)).toEqual([]);
    await battlePasses.unlockBattlePass(projectId, later);
    expect(idsOf(await battlePasses.getUnlockedBattlePasses(projectId))).toEqual([later]);
    const levels = await battlePasses.getAllBattlePassLevels(projectId);
    expect(ours(levels)).toEqual([now, later]);
    expect(levels.find(({ battle_pass_id }) => battle_pass_id === now)).toMatchObject({ activated_at: null });
  });

  it('tells everybody who follows a pass that it has ended', async () => {
    const { pass } = await createPass([1]);
    const client: MqttClient = await mqtt.connectAsync(daemon.mqttUrl);
    const heard: unknown[] = [];
    client.on('message', (_, payload) => heard.push(JSON.parse(payload.toString())));
    for (const user of ['u_one', 'u_other']) {
      const { topic = '' } = await (await enter(user)).auth.getUserBattlePassNotificationTopic(pass.id);
      await client.subscribeAsync(topic);
    }
    const params = { projectId: daemon.projectId, id: pass.id };
    await daemon.client.call(battlePassRoutes.update, { params, body: { endDate: '2026-01-01T00:00:00Z' } });
    await eventually(() => expect(heard).toHaveLength(2));
    expect(heard[0]).toMatchObject({
      webhook_type: 'battlepass-expired',
      old_battle_pass: { battle_pass_id: pass.id, is_active: true },
      new_battle_pass: { battle_pass_id: pass.id, is_active: false, end_date: '2026-01-01T00:00:00.000Z' },
    });
    await client.endAsync();
  });

  it('refuses what is too early with 402, and what it does not know with 404', async () => {
    const { pass, ids } = await createPass([1, 1]);
    const { auth, battlePasses } = await enter('u_early');
    const { projectId } = daemon;
    const [first = '', second = ''] = ids;
    expect(await statusOf(battlePasses.activateBattlePassLevel(projectId, first))).toBe(402);
    await battlePasses.unlockBattlePass(projectId, pass.id);
    expect(await statusOf(battlePasses.activateBattlePassLevel(projectId, second))).toBe(402);
    expect(await statusOf(battlePasses.claimBattlePassLevelReward(projectId, first))).toBe(402);
    await battlePasses.activateBattlePassLevel(projectId, first);
    expect(await statusOf(battlePasses.activateBattlePassLevel(projectId, first))).toBe(402);
    expect(await statusOf(battlePasses.claimBattlePassLevelReward(projectId, first))).toBe(402);

    for (const refused of [
      () => battlePasses.getBattlePass(projectId, 'none'),
      () => battlePasses.getBattlePass('another-app', pass.id),
      () => battlePasses.getBattlePassLevels(projectId, 'none'),
      () => battlePasses.unlockBattlePass(projectId, 'none'),
      () => battlePasses.activateBattlePassLevel(projectId, 'none'),
      () => battlePasses.claimBattlePassLevelReward('another-app', first),
      () => auth.getUserBattlePassNotificationTopic('none'),
    ])
      expect(await statusOf(refused())).toBe(404);
  });
});
