import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { AuthApi, BattlePassesApi, Configuration, EventsApi } from '@scillgame/scill-js';
import { z } from 'zod';
import { DomainEvent } from '../../src/contract/events.js';
import { LeaderboardList, LeaderboardRankingPage } from '../../src/contract/gameplay/leaderboards.js';
import { LeaderboardUpdatePayload } from '../../src/contract/gameplay/player-leaderboards.js';
import type { Scene } from './scene.js';

const writing = process.env.EARSHOT_VERIFICATION === '1';
/** A hundred in the document; fewer in a suite, which writes nothing down. */
const players = writing ? 100 : 20;
/** Two minutes in the document; a few seconds in a suite. `EARSHOT_SCENE_SECONDS` takes another time. */
const seconds = Number(process.env.EARSHOT_SCENE_SECONDS ?? (writing ? 120 : 3));
const cheater = 'player-013';
const roundMs = 1_000;

const season = `battlePasses:
  - key: spring
    name: Spring
    levels:
      - key: one
        rewardType: coin
        rewardAmount: "100"
        challenges:
          - { key: ten-down, name: Ten down, eventName: kill-enemy, goal: 10, counting: total }
leaderboards:
  - { key: kills, name: Kills, eventName: kill-enemy }
`;

const nameOf = (index: number): string => `player-${String(index).padStart(3, '0')}`;

/** One player: what a game client does with the SDK. Returns how many kills the daemon has acknowledged. */
async function play(basePath: string, apiKey: string, projectId: string, userId: string): Promise<number> {
  const backEnd = new Configuration({ accessToken: apiKey, basePath });
  const { token = '' } = await new AuthApi(backEnd).generateAccessToken({ user_id: userId });
  const own = new Configuration({ accessToken: token, basePath });
  await new AuthApi(own).setUserInfo({ username: `Player ${userId.slice(-3)}`, avatarImage: 'fox.png' });
  const passes = new BattlePassesApi(own);
  const [{ battle_pass_id: passId = '' } = {}] = await passes.getBattlePasses(projectId);
  await passes.unlockBattlePass(projectId, passId);
  const [{ level_id: levelId = '' } = {}] = await passes.getBattlePassLevels(projectId, passId);
  await passes.activateBattlePassLevel(projectId, levelId);
  const events = new EventsApi(new Configuration({ accessToken: token, basePath, apiKey: 'access_token' }));
  const end = Date.now() + seconds * 1_000;
  let [kills, round] = [0, Number(userId.slice(-3))];
  while (Date.now() < end) {
    const amount = userId === cheater ? 50 : 1 + (round % 3);
    await events.sendEvent({ event_name: 'kill-enemy', meta_data: { amount } });
    kills += amount;
    round += 1;
    await sleep(roundMs * (0.5 + (round % 5) / 5));
  }
  return kills;
}

export const scene: Scene = {
  title: 'A season from one file, a hundred players, and a cheater',
  async play(stage) {
    stage.tell('A designer writes the season down, looks at what it would change, and applies it.');
    writeFileSync(join(stage.folder, 'season.yaml'), season);
    await stage.run('cat season.yaml');
    await stage.run('earshot gameplay apply -f season.yaml --dry-run');
    await stage.run('earshot gameplay apply -f season.yaml');
    const listed = await stage.run('earshot leaderboards list --json', { quiet: true });
    const [{ id: board = '', projectId = '' } = {}] = LeaderboardList.parse(JSON.parse(listed.stdout)).leaderboards;
    const made = await stage.run('earshot api-keys create --name game --scopes tokens --json', { quiet: true });
    const { key } = z.object({ key: z.string() }).parse(JSON.parse(made.stdout));

    stage.tell(
      `A hundred players play for ${seconds} seconds, each with the published SDK \`@scillgame/scill-js\`: they unlock the pass and send what they do. Somebody watches the board meanwhile. One of them cheats.`,
    );
    const watching = stage.start(`earshot leaderboards watch ${board} > watched.ndjson`);
    const names = Array.from({ length: players }, (_, index) => nameOf(index + 1));
    const played = await Promise.all(
      names.map(async (name) => [name, await play(stage.url, key, projectId, name)] as const),
    );
    const kills = new Map(played);
    const ranking = async () => {
      const { stdout } = await stage.run(`earshot leaderboards show ${board} --limit 100 --json`, { quiet: true });
      return LeaderboardRankingPage.parse(JSON.parse(stdout)).entries;
    };
    await stage.run(`earshot leaderboards show ${board} --limit 5`);
    const before = await ranking();
    stage.check(
      'each of the hundred has on the board what the daemon acknowledged to them',
      before.length === players && before.every(({ memberId, score }) => kills.get(memberId) === score),
    );
    stage.check('the cheater is first', before[0]?.memberId === cheater);
    await sleep(2_000); // the last state of each second is on its way
    await watching.stop();
    const watched = readFileSync(join(stage.folder, 'watched.ndjson'), 'utf8').trim().split('\n');
    const changes = watched.map((line) =>
      LeaderboardUpdatePayload.parse(DomainEvent.parse(JSON.parse(line)).payload.data),
    );
    const last = changes.findLast(({ member_data }) => member_data.member_id === cheater);
    stage.check(
      'whoever watched has seen the last score of the cheater',
      last?.member_data.score === kills.get(cheater),
    );
    await stage.run('earshot players get player-001');

    stage.tell('The board is counted again without the cheater. The difference is printed before it is applied.');
    await stage.run(`earshot leaderboards rebuild ${board} --without ${cheater} --apply`);
    await stage.run(`earshot leaderboards show ${board} --limit 5`);
    const after = await ranking();
    stage.check(
      'the others are as they were, each one place further up',
      after.map(({ memberId, score }) => `${memberId} ${score}`).join() ===
        before
          .slice(1)
          .map(({ memberId, score }) => `${memberId} ${score}`)
          .join(),
    );
  },
};
