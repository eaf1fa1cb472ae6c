/**
 * Load for a daemon that is killed under it: messages, sanctions and game events from many senders, who remember what was
 * acknowledged to them. `readLedger` then says what the database holds of all that.
 */
import { join } from 'node:path';
import { Database } from '../../daemon/platform/database/database.js';
import { unpacked } from '../../daemon/platform/events/packed.js';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { battlePassLevelRoutes, levelsPerBattlePassMax } from '../../src/contract/gameplay/battle-pass-levels.js';
import { battlePassProgressRoutes } from '../../src/contract/gameplay/battle-pass-progress.js';
import { battlePassRoutes } from '../../src/contract/gameplay/battle-passes.js';
import { challengeRoutes } from '../../src/contract/gameplay/challenges.js';
import { leaderboardRoutes } from '../../src/contract/gameplay/leaderboards.js';
import { playerRoutes } from '../../src/contract/gameplay/players.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { apiKeyRoutes } from '../../src/contract/identity/api-keys.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { webhookRoutes } from '../../src/contract/webhooks/webhooks.js';
import { administrator, type DaemonProcess } from './daemon-process.js';
import { eventually } from './eventually.js';
import { scale } from './scale.js';

export const kinds = ['message', 'sanction', 'game event'] as const;
export type LoadKind = (typeof kinds)[number];

/** Event that announces each kind. */
const announcements: Readonly<Record<LoadKind, string>> = {
  message: 'message.created',
  sanction: 'sanction.created',
  'game event': 'challenge.changed',
};
const levelChanged = 'battlepass.challenge.changed';
const boardChanged = 'leaderboard.changed';
/** Kills that complete a level of the battle pass; it has more levels than a run can complete. */
export const killsPerLevel = 20;
const levels = scale(40, levelsPerBattlePassMax);
const sendersEach = 4;
const patienceMs = 120_000;
const userId = 'u1';

export class CrashLoad {
  /** Ids, or idempotency keys, that a client saw acknowledged. */
  readonly acknowledged: Readonly<Record<LoadKind, Set<string>>> = {
    message: new Set(),
    sanction: new Set(),
    'game event': new Set(),
  };
  private sent = 0;

  private constructor(
    private readonly daemon: DaemonProcess,
    private readonly token: string,
    private readonly gameKey: string,
    readonly projectId: string,
    readonly sessionId: string,
  ) {}

  /** A session whose bot listens, a challenge, a battle pass without end, a leaderboard, and a subscription to all that the load causes. */
  static async prepare(daemon: DaemonProcess, receiverUrl: string): Promise<CrashLoad> {
    const anonymous = new EarshotClient({ baseUrl: daemon.url });
    const { accessToken: token } = await anonymous.call(accountRoutes.loginCredentials, { body: administrator });
    const client = new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token } });
    const [project] = await client.call(projectRoutes.list, {});
    const projectId = project?.id ?? '';
    const params = { projectId };
    const body = { name: 'game', scopes: ['gameplay' as const], projectId };
    const { key } = await client.call(apiKeyRoutes.create, { body });
    const title = { title: 'Crash', externalRoomId: 'crash', idleTimeout: 0 };
    const { id: sessionId } = await client.call(sessionRoutes.create, { params, body: title });
    const { id } = await client.call(challengeRoutes.create, {
      params,
      body: { name: 'Endless', eventName: 'kill-enemy', goal: 1_000_000, counting: 'total' },
    });
    await client.call(playerRoutes.unlock, { params: { ...params, userId, id } });
    await client.call(playerRoutes.activate, { params: { ...params, userId, id } });
    await client.call(webhookRoutes.create, {
      params,
      body: {
        url: receiverUrl,
        secret: 'a long enough secret',
        events: [...Object.values(announcements), levelChanged, boardChanged],
      },
    });
    await client.call(leaderboardRoutes.create, { params, body: { name: 'Kills', eventName: 'kill-enemy' } });
    await beginPass(client, projectId);
    return new CrashLoad(daemon, token, key, projectId, sessionId);
  }

  /** A client of the daemon that runs now. */
  get client(): EarshotClient {
    return new EarshotClient({ baseUrl: this.daemon.url, credential: { kind: 'bearer', token: this.token } });
  }

  /** Sends until so many more of each kind are acknowledged, kills the daemon under the load, and starts it again. */
  async round(ofEachKind: number): Promise<void> {
    const wanted = kinds.map((kind) => this.acknowledged[kind].size + ofEachKind);
    const senders = [this.say, this.warn, this.play].flatMap((send) =>
      Array.from({ length: sendersEach }, () => endlessly(send)),
    );
    await eventually(() => {
      const short = kinds.filter((kind, index) => this.acknowledged[kind].size < (wanted[index] ?? 0));
      if (short.length > 0) throw new Error(`Too few were acknowledged of: ${short.join(', ')}.`);
    }, patienceMs);
    await this.daemon.end('SIGKILL');
    await Promise.all(senders);
    await this.daemon.start();
  }

  private say = async (): Promise<void> => {
    const { projectId, sessionId: id, client } = this;
    const body = { externalUserId: userId, content: `message ${++this.sent}` };
    this.acknowledged.message.add((await client.call(sessionRoutes.say, { params: { projectId, id }, body })).id);
  };

  private warn = async (): Promise<void> => {
    const { projectId, client } = this;
    const body = { type: 'warn' as const, externalUserId: `u${++this.sent}` };
    this.acknowledged.sanction.add((await client.call(sanctionRoutes.create, { params: { projectId }, body })).id);
  };

  private play = async (): Promise<void> => {
    const key = `event-${++this.sent}`;
    const answer = await fetch(`${this.daemon.url}/api/v1/events`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${this.gameKey}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': key,
      },
      body: JSON.stringify({ user_id: userId, event_name: 'kill-enemy', meta_data: { amount: 1 } }),
    });
    await answer.arrayBuffer();
    if (answer.status === 200) this.acknowledged['game event'].add(key);
  };
}

/** Its levels count the same kills, one level after the other. */
async function beginPass(client: EarshotClient, projectId: string): Promise<void> {
  const params = { projectId };
  const { id } = await client.call(battlePassRoutes.create, { params, body: { name: 'Season' } });
  const challenge = { name: 'Kill', eventName: 'kill-enemy' as const, goal: killsPerLevel, counting: 'total' as const };
  const made: string[] = [];
  for (let position = 1; position <= levels; position += 1) {
    const body = { position, challenges: [challenge] };
    made.push((await client.call(battlePassLevelRoutes.create, { params: { ...params, id }, body })).id);
  }
  await client.call(battlePassProgressRoutes.unlock, { params: { ...params, userId, id }, body: {} });
  const first = { params: { ...params, userId, id: made[0] ?? '' } };
  await client.call(battlePassProgressRoutes.activateLevel, first);
}

/** Repeats `send` until the daemon is gone. */
async function endlessly(send: () => Promise<void>): Promise<void> {
  try {
    for (;;) await send();
  } catch {
    // it was killed
  }
}

/** Contents of the database of a dead daemon. */
export interface Ledger {
  /** Stored ids, or idempotency keys. */
  readonly rows: Readonly<Record<LoadKind, readonly string[]>>;
  /** Ids of the announcements. */
  readonly events: Readonly<Record<LoadKind, readonly string[]>>;
  /** Rows, by id, that are not announced exactly once; game events are announced by what they change. */
  readonly notAnnouncedOnce: readonly string[];
  /** Announcements, by id, that do not stand in the webhook outbox exactly once. */
  readonly notInOutboxOnce: readonly string[];
  /** Counters of the challenge, as the player was told of them. */
  readonly countersTold: readonly number[];
  readonly counter: number;
  /** Counters of the activated levels of the battle pass, in their order, as stored and as the player was told last. */
  readonly levelCounters: readonly number[];
  readonly levelCountersTold: readonly number[];
  readonly levelsCompleted: number;
  /** Score of the player on the leaderboard, and the scores that were announced. */
  readonly score: number;
  readonly scoresTold: readonly number[];
  /** States of the bot, repetitions left out. */
  readonly botStates: readonly string[];
}

export async function readLedger(dataDir: string): Promise<Ledger> {
  const database = await Database.connect(`file:${join(dataDir, 'earshot.db')}`);
  try {
    const { read } = database;
    const types = [...Object.values(announcements), levelChanged, boardChanged, 'bot.status.changed'];
    const log = await read.domainEvent.findMany({ where: { type: { in: types } }, orderBy: { position: 'asc' } });
    const of = (type: string) => log.filter((event) => event.type === type);
    const deliveries = counted((await read.webhookEvent.findMany()).map(({ eventId }) => eventId));
    const [player] = await read.playerChallenge.findMany({ where: { userId, challenge: { levelId: null } } });
    const inLevels = await read.playerChallenge.findMany({
      where: { userId, NOT: { challenge: { levelId: null } } },
      orderBy: { challenge: { level: { position: 'asc' } } },
    });
    const toldOfLevels = new Map<number, number>();
    for (const { payload } of of(levelChanged)) {
      const { level_position_index: level, user_challenge_current_score: counter } = JSON.parse(unpacked(payload)).data
        .new_battle_pass_challenge;
      toldOfLevels.set(level, counter);
    }
    const rows = {
      message: (await read.message.findMany()).map(({ id }) => id),
      sanction: (await read.sanction.findMany()).map(({ id }) => id),
      'game event': (await read.gameEvent.findMany()).map(({ idempotencyKey }) => idempotencyKey?.split(' ')[1] ?? ''),
    };
    const idsOf = (kind: LoadKind) => of(announcements[kind]).map(({ id }) => id);
    const announced = counted(log.map(({ resourceId }) => resourceId));
    const states = of('bot.status.changed').map(({ payload }) => String(JSON.parse(payload).data.bot.state));
    return {
      rows,
      events: { message: idsOf('message'), sanction: idsOf('sanction'), 'game event': idsOf('game event') },
      notAnnouncedOnce: [
        ...rows.message.filter((id) => announced.get(`message:${id}`) !== 1),
        ...rows.sanction.filter((id) => announced.get(`sanction:${id}`) !== 1),
      ],
      // The first two of the challenge were caused before anybody had subscribed.
      notInOutboxOnce: [
        ...idsOf('message'),
        ...idsOf('sanction'),
        ...idsOf('game event').slice(2),
        ...of(levelChanged).map(({ id }) => id),
        ...of(boardChanged).map(({ id }) => id),
      ].filter((id) => deliveries.get(id) !== 1),
      countersTold: of('challenge.changed').map(
        ({ payload }) => JSON.parse(unpacked(payload)).data.new_challenge.user_challenge_current_score,
      ),
      counter: Number(player?.counter),
      levelCounters: inLevels.map(({ counter }) => Number(counter)),
      levelCountersTold: [...toldOfLevels.values()],
      levelsCompleted: await read.playerBattlePassLevel.count({ where: { userId, NOT: { completedAt: null } } }),
      score: -Number((await read.leaderboardScore.findFirst({ where: { memberId: userId } }))?.sortKey),
      scoresTold: of(boardChanged).map(({ payload }) => JSON.parse(payload).data.new_leaderboard_ranking.score),
      botStates: states.filter((state, index) => state !== states[index - 1]),
    };
  } finally {
    await database.close();
  }
}

function counted(values: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}
