/** Players who are moved while their clients listen: the connection that there is goes on hearing of them. */
import mqtt, { type IClientOptions, type MqttClient } from 'mqtt';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { battlePassLevelRoutes } from '../../src/contract/gameplay/battle-pass-levels.js';
import { battlePassProgressRoutes } from '../../src/contract/gameplay/battle-pass-progress.js';
import { battlePassRoutes } from '../../src/contract/gameplay/battle-passes.js';
import { challengeRoutes } from '../../src/contract/gameplay/challenges.js';
import { gameplayRoutes } from '../../src/contract/gameplay/gameplay.js';
import { leaderboardRoutes } from '../../src/contract/gameplay/leaderboards.js';
import { playerBattlePassRoutes } from '../../src/contract/gameplay/player-battle-passes.js';
import { playerLeaderboardRoutes } from '../../src/contract/gameplay/player-leaderboards.js';
import { playerRoutes } from '../../src/contract/gameplay/players.js';
import { personMoveRoutes } from '../../src/contract/people/person-moves.js';
import type { TestDaemon } from '../support/daemon.js';
import { describeDaemonsOnEachDatabase } from '../support/each-database.js';
import { eventually } from '../support/eventually.js';

describeDaemonsOnEachDatabase('topics of a player who is moved', (start) => {
  let daemon: TestDaemon;
  let challengeId: string;
  let passId: string;
  let boardId: string;
  let clients: MqttClient[] = [];
  beforeAll(async () => {
    daemon = await start();
    const at = { params: { projectId: daemon.projectId } };
    const challenge = { name: 'Kill many', eventName: 'kill-enemy', goal: 100, counting: 'total' as const };
    ({ id: challengeId } = await daemon.client.call(challengeRoutes.create, { ...at, body: challenge }));
    ({ id: passId } = await daemon.client.call(battlePassRoutes.create, { ...at, body: { name: 'Winter' } }));
    await daemon.client.call(battlePassLevelRoutes.create, {
      params: { ...at.params, id: passId },
      body: { position: 1, challenges: [challenge] },
    });
    const board = { name: 'Hunters', eventName: 'kill-enemy' };
    ({ id: boardId } = await daemon.client.call(leaderboardRoutes.create, { ...at, body: board }));
  });
  afterEach(() => {
    for (const client of clients) client.end(true);
    clients = [];
  });
  afterAll(() => daemon.stop());

  const of = (userId: string) => ({ projectId: daemon.projectId, userId });
  const kill = (userId: string) =>
    daemon.client.call(playerRoutes.sendEvent, {
      params: of(userId),
      body: { event_name: 'kill-enemy', event_type: 'single', meta_data: { amount: 1 } },
    });
  const play = async (userId: string) => {
    await daemon.client.call(playerRoutes.unlock, { params: { ...of(userId), id: challengeId } });
    await daemon.client.call(playerRoutes.activate, { params: { ...of(userId), id: challengeId } });
    const pass = { params: { ...of(userId), id: passId }, body: {} };
    const { levels } = await daemon.client.call(battlePassProgressRoutes.unlock, pass);
    for (const { levelId } of levels)
      await daemon.client.call(battlePassProgressRoutes.activateLevel, { params: { ...of(userId), id: levelId } });
  };
  /** Everything that a player can follow, asked for with their token. */
  const topicsOf = async (token: string): Promise<Record<string, string>> => {
    const player = new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token } });
    const [query, ofPass] = [{ challenge_id: challengeId }, { battle_pass_id: passId }];
    const topics = {
      challenges: await player.call(gameplayRoutes.challengesTopic, {}),
      challenge: await player.call(gameplayRoutes.challengeTopic, { query }),
      pass: await player.call(playerBattlePassRoutes.topic, { query: ofPass }),
      board: await player.call(playerLeaderboardRoutes.topic, { query: { leaderboard_id: boardId } }),
    };
    return Object.fromEntries(Object.entries(topics).map(([name, { topic }]) => [topic, name]));
  };
  /** Connects and subscribes; `heard` gets the name of each topic with the id and the quality of service of its messages. */
  const follow = async (topics: Record<string, string>, qos: 0 | 1, options: IClientOptions) => {
    const client = await mqtt.connectAsync(daemon.mqttUrl, { reconnectPeriod: 0, ...options });
    clients.push(client);
    const heard: string[] = [];
    client.on('message', (topic, payload, packet) => {
      const told = JSON.parse(payload.toString());
      const about = told.new_challenge ?? told.new_battle_pass_challenge;
      const id = about?.user_id ?? told.member_data.member_id;
      heard.push(`${topics[topic]} ${id} ${packet.qos}`);
    });
    await client.subscribeAsync(Object.keys(topics), { qos });
    return { client, heard };
  };
  const told = (userId: string, qos: 0 | 1) =>
    ['challenges', 'challenge', 'pass', 'board'].map((name) => `${name} ${userId} ${qos}`);

  it.each([
    ['nobody', 0, 'nothing'],
    ['nobody', 1, 'a player token'],
    ['somebody', 0, 'a player token'],
    ['somebody', 1, 'nothing'],
  ] as const)(
    'are heard on: to an id that %s had, at QoS %d, by a client that brings %s',
    async (who, qos, brought) => {
      const [from, to] = [`from-${who}-${qos}`, `to-${who}-${qos}`];
      const { token } = await daemon.client.call(playerRoutes.createToken, { params: of(from) });
      await play(from);
      if (who === 'somebody') {
        await kill(to);
        const other = await daemon.client.call(playerRoutes.createToken, { params: of(to) });
        await topicsOf(other.token); // of two topics of one subject, that of the new id stays
      }
      const credential = brought === 'nothing' ? {} : { username: from, password: token };
      const { client, heard } = await follow(await topicsOf(token), qos, credential);
      await kill(from);
      await eventually(() => expect(heard).toEqual(expect.arrayContaining(told(from, qos))));
      const move = { params: { projectId: daemon.projectId, user: from }, body: { externalUserId: to } };
      await daemon.client.call(personMoveRoutes.move, move);
      await kill(to);
      await eventually(() => expect(heard).toEqual(expect.arrayContaining(told(to, qos))));
      expect(client.connected).toBe(true);
      const before = heard.length;
      await play(from); // somebody else from here on
      await kill(from);
      await kill(to);
      await eventually(() => expect(heard.slice(before)).toEqual(expect.arrayContaining(told(to, qos).slice(0, 3))));
      expect(heard.slice(before).filter((one) => !one.startsWith('board ') && one.includes(` ${from} `))).toEqual([]);
    },
  );
});
