/** The monitors of the public SDK, which ask for a topic and follow it with an MQTT client of their own: only addresses are changed. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import {
  AuthApi,
  BattlePassesApi,
  ChallengesApi,
  Configuration,
  EventsApi,
  LeaderboardsApi,
  startMonitorBattlePassUpdates,
  startMonitorChallengeUpdates,
  startMonitorLeaderboardUpdates,
} from '@scillgame/scill-js';
import type { MqttClient } from 'mqtt';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { battlePassLevelRoutes } from '../../src/contract/gameplay/battle-pass-levels.js';
import { battlePassRoutes } from '../../src/contract/gameplay/battle-passes.js';
import { challengeRoutes } from '../../src/contract/gameplay/challenges.js';
import { leaderboardRoutes } from '../../src/contract/gameplay/leaderboards.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { eventually } from '../support/eventually.js';

/** Loads modules that the SDK itself loads. */
const ofSdk = createRequire(createRequire(import.meta.url).resolve('@scillgame/scill-js'));
const apis: { getAuthApi(token: string): AuthApi } = ofSdk('./scillclient');
const itsMqtt: { connect(url: string): MqttClient } = ofSdk('mqtt');

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());
afterEach(() => vi.restoreAllMocks());

const configuration = (accessToken: string, apiKey?: 'api_key') =>
  new Configuration({ accessToken, basePath: daemon.url, ...(apiKey === undefined ? {} : { apiKey }) });

/** Counts the topics that the monitors follow by now. */
function leadToTheDaemon(): () => number {
  let followed = 0;
  const connect = itsMqtt.connect;
  vi.spyOn(apis, 'getAuthApi').mockImplementation((token) => new AuthApi(configuration(token)));
  vi.spyOn(itsMqtt, 'connect').mockImplementation((url) => {
    const client = connect(`${daemon.url.replace('http', 'ws')}${new URL(url).pathname}`);
    return client.on('packetreceive', ({ cmd }) => {
      if (cmd === 'suback') followed += 1;
    });
  });
  vi.spyOn(console, 'log').mockImplementation(() => {}); // the SDK prints topics
  return () => followed;
}

describe('the monitors of the SDK', () => {
  it('hear of challenges, battle passes and leaderboards, over WebSocket', async () => {
    const { projectId } = daemon;
    const params = { projectId };
    const counted = { name: 'Kill one', eventName: 'kill-enemy', goal: 1 } as const;
    const challenge = await daemon.client.call(challengeRoutes.create, { params, body: counted });
    const pass = await daemon.client.call(battlePassRoutes.create, { params, body: { name: 'Season' } });
    const level = await daemon.client.call(battlePassLevelRoutes.create, {
      ...{ params: { ...params, id: pass.id } },
      body: { position: 1, rewardType: 'coin', rewardAmount: '100', challenges: [counted] },
    });
    const boardRequest = { name: 'Kills', eventName: 'kill-enemy' } as const;
    const board = await daemon.client.call(leaderboardRoutes.create, { params, body: boardRequest });
    const { token = '' } = await new AuthApi(configuration(daemon.apiKey)).generateAccessToken({ user_id: 'ann' });

    const followed = leadToTheDaemon();
    const heard: Record<'challenge' | 'pass' | 'board', unknown[]> = { challenge: [], pass: [], board: [] };
    const monitors = [
      startMonitorChallengeUpdates(token, (payload) => heard.challenge.push(payload)),
      startMonitorBattlePassUpdates(token, pass.id, (payload) => heard.pass.push(payload)),
      startMonitorLeaderboardUpdates(token, board.id, (payload) => heard.board.push(payload)),
    ];
    await eventually(() => expect(followed()).toBe(3));

    const challenges = new ChallengesApi(configuration(token));
    const passes = new BattlePassesApi(configuration(token));
    await challenges.unlockPersonalChallenge(projectId, challenge.id);
    await challenges.activatePersonalChallenge(projectId, challenge.id);
    await passes.unlockBattlePass(projectId, pass.id);
    await passes.activateBattlePassLevel(projectId, level.id);
    const event = { user_id: 'ann', event_name: 'kill-enemy', meta_data: { amount: 1 } };
    await new EventsApi(configuration(daemon.apiKey, 'api_key')).sendEvent(event);
    await passes.claimBattlePassLevelReward(projectId, level.id);

    const changed = (type: string) => ({
      webhook_type: 'challenge-changed',
      new_challenge: expect.objectContaining({ challenge_id: challenge.id, user_id: 'ann', type }),
    });
    const inPass = (type: string) => ({
      webhook_type: 'battlepass-challenge-changed',
      new_battle_pass_challenge: expect.objectContaining({ level_id: level.id, user_id: 'ann', type }),
    });
    const claimed = { webhook_type: 'battlepass-level-reward-claimed' };
    await eventually(() => expect(heard.pass).toMatchObject([inPass('in-progress'), inPass('finished'), claimed]));
    await eventually(() =>
      expect(heard.challenge).toMatchObject([changed('unlocked'), changed('in-progress'), changed('unclaimed')]),
    );
    await eventually(() =>
      expect(heard.board).toMatchObject([
        { webhook_type: 'leaderboard-ranking-changed', new_leaderboard_ranking: { score: 1, rank: 1 } },
      ]),
    );
    for (const monitor of monitors) monitor.stop();
  });
});

describe('the 32 operations of the SDK', () => {
  it('are all tried by these suites', () => {
    const suites = ['./sdk.test.ts', '../leaderboards/sdk.test.ts'].map((name) =>
      readFileSync(new URL(name, import.meta.url), 'utf8'),
    );
    const operations = [AuthApi, BattlePassesApi, ChallengesApi, EventsApi, LeaderboardsApi].flatMap(({ prototype }) =>
      Object.getOwnPropertyNames(prototype).filter((name) => name !== 'constructor'),
    );
    expect(operations).toHaveLength(32);
    expect(operations.filter((name) => !suites.some((suite) => suite.includes(`.${name}(`)))).toEqual([]);
  });
});
