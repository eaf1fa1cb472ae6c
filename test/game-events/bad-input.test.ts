/**
 * Input refused over HTTP: ids of nothing and of another project, claims out of turn, levels and dates that do not
 * fit.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { battlePassLevelRoutes, levelChallengeRoutes } from '../../src/contract/gameplay/battle-pass-levels.js';
import { battlePassProgressRoutes } from '../../src/contract/gameplay/battle-pass-progress.js';
import { battlePassRoutes } from '../../src/contract/gameplay/battle-passes.js';
import { challengeCategoryRoutes } from '../../src/contract/gameplay/challenge-categories.js';
import { challengeRoutes } from '../../src/contract/gameplay/challenges.js';
import { gameplayRoutes } from '../../src/contract/gameplay/gameplay.js';
import { leaderboardRebuildRoutes } from '../../src/contract/gameplay/leaderboard-rebuilds.js';
import { leaderboardRoutes } from '../../src/contract/gameplay/leaderboards.js';
import { playerBattlePassRoutes } from '../../src/contract/gameplay/player-battle-passes.js';
import { playerChallengeRoutes } from '../../src/contract/gameplay/player-challenges.js';
import { playerRoutes } from '../../src/contract/gameplay/players.js';
import { seasonRoutes } from '../../src/contract/gameplay/season-routes.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { databases, type TestDatabase } from '../support/database.js';

const killThree = { name: 'Kill three', eventName: 'kill-enemy', goal: 3 } as const;
const userId = 'u1';
const statusOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'done',
    (error: unknown) => (error instanceof Object && 'status' in error ? error.status : error),
  );

describe.each(databases.filter(({ here }) => here))('bad input over HTTP on $name', ({ open }) => {
  let opened: TestDatabase;
  let daemon: TestDaemon;
  beforeAll(async () => {
    opened = await open();
    daemon = await startDaemon({ settings: { DATABASE_URL: opened.url } });
  }, 120_000);
  afterAll(async () => {
    await daemon.stop();
    await opened.close();
  });

  const seasonOf = async (projectId: string) => {
    const { season } = await daemon.admin.call(seasonRoutes.get, { params: { projectId } });
    return season;
  };
  /** One object of every kind. */
  async function fill(projectId: string) {
    const { admin } = daemon;
    const params = { projectId };
    const category = await admin.call(challengeCategoryRoutes.create, { params, body: { name: 'C', slug: 'c' } });
    const challenge = await admin.call(challengeRoutes.create, { params, body: killThree });
    const pass = await admin.call(battlePassRoutes.create, { params, body: { name: 'Pass' } });
    const level = await admin.call(battlePassLevelRoutes.create, {
      params: { projectId, id: pass.id },
      body: { position: 1, challenges: [killThree] },
    });
    const board = await admin.call(leaderboardRoutes.create, {
      params,
      body: { name: 'Kills', eventName: 'kill-enemy' },
    });
    const rebuild = await admin.call(leaderboardRebuildRoutes.make, { params: { projectId, id: board.id }, body: {} });
    return {
      ...{ category: category.id, challenge: challenge.id, pass: pass.id, level: level.id, board: board.id },
      ...{ levelChallenge: level.challenges[0]?.id ?? '', rebuild: rebuild.id },
    };
  }
  type Ids = Awaited<ReturnType<typeof fill>>;

  const playerClient = async () => {
    const { token } = await daemon.admin.call(playerRoutes.createToken, {
      params: { projectId: daemon.projectId, userId },
    });
    return new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token } });
  };

  /** Everything that names one of the objects, asked for in the daemon's own project. */
  async function callsWith(ids: Ids): Promise<[string, Promise<unknown>][]> {
    const { projectId, admin } = daemon;
    const player = await playerClient();
    const app = { appId: projectId };
    const of = (id: string) => ({ projectId, id });
    const body = { name: 'Other' };
    const onLevel = { ...of(ids.pass), levelId: ids.level };
    const ofPlayer = (id: string) => ({ projectId, userId, id });
    const rebuilt = { ...of(ids.board), rebuildId: ids.rebuild };
    const inLevel = { projectId, levelId: ids.level };
    return Object.entries({
      'a category': admin.call(challengeCategoryRoutes.get, { params: of(ids.category) }),
      'a category, changed': admin.call(challengeCategoryRoutes.update, { params: of(ids.category), body }),
      'a category, deleted': admin.call(challengeCategoryRoutes.delete, { params: of(ids.category) }),
      'a challenge': admin.call(challengeRoutes.get, { params: of(ids.challenge) }),
      'a challenge, changed': admin.call(challengeRoutes.update, { params: of(ids.challenge), body }),
      'a challenge, deleted': admin.call(challengeRoutes.delete, { params: of(ids.challenge) }),
      'a pass': admin.call(battlePassRoutes.get, { params: of(ids.pass) }),
      'a pass, changed': admin.call(battlePassRoutes.update, { params: of(ids.pass), body }),
      'a pass, deleted': admin.call(battlePassRoutes.delete, { params: of(ids.pass) }),
      'a new level': admin.call(battlePassLevelRoutes.create, { params: of(ids.pass), body: { position: 2 } }),
      'a level': admin.call(battlePassLevelRoutes.get, { params: onLevel }),
      'a level, changed': admin.call(battlePassLevelRoutes.update, { params: onLevel, body: { position: 2 } }),
      'a level, deleted': admin.call(battlePassLevelRoutes.delete, { params: onLevel }),
      'a new challenge of a level': admin.call(levelChallengeRoutes.create, { params: inLevel, body: killThree }),
      'a challenge of a level, deleted': admin.call(levelChallengeRoutes.delete, {
        params: { ...inLevel, id: ids.levelChallenge },
      }),
      'a board': admin.call(leaderboardRoutes.get, { params: of(ids.board) }),
      'a board, changed': admin.call(leaderboardRoutes.update, { params: of(ids.board), body }),
      'a board, reset': admin.call(leaderboardRoutes.reset, { params: of(ids.board) }),
      'a board, deleted': admin.call(leaderboardRoutes.delete, { params: of(ids.board) }),
      'a ranking': admin.call(leaderboardRoutes.ranking, { params: of(ids.board), query: {} }),
      'a topic of a board': admin.call(leaderboardRoutes.topic, { params: of(ids.board) }),
      'a new rebuild': admin.call(leaderboardRebuildRoutes.make, { params: of(ids.board), body: {} }),
      'a rebuild, applied': admin.call(leaderboardRebuildRoutes.apply, { params: rebuilt }),
      'unlocking a challenge': admin.call(playerRoutes.unlock, { params: ofPlayer(ids.challenge) }),
      'claiming a challenge': admin.call(playerRoutes.claim, { params: ofPlayer(ids.challenge) }),
      'unlocking a pass': admin.call(battlePassProgressRoutes.unlock, { params: ofPlayer(ids.pass), body: {} }),
      'activating a level': admin.call(battlePassProgressRoutes.activateLevel, { params: ofPlayer(ids.level) }),
      'claiming a level': admin.call(battlePassProgressRoutes.claimLevel, { params: ofPlayer(ids.level) }),
      'a player claims a challenge': player.call(playerChallengeRoutes.claim, {
        params: { ...app, challengeId: ids.challenge },
      }),
      'a player unlocks a pass': player.call(playerBattlePassRoutes.unlock, {
        params: { ...app, battlePassId: ids.pass },
      }),
      'a player claims a level': player.call(playerBattlePassRoutes.claimLevel, {
        params: { ...app, levelId: ids.level },
      }),
      'the topic of a challenge': player.call(gameplayRoutes.challengeTopic, {
        query: { challenge_id: ids.challenge },
      }),
    });
  }

  it('answers 404 for ids of nothing and of another project, and changes neither', async () => {
    const { projectId: mine } = daemon;
    const { id: theirs } = await daemon.admin.call(projectRoutes.create, { body: { name: 'Theirs' } });
    await fill(mine);
    const foreign = await fill(theirs);
    const before = [await seasonOf(mine), await seasonOf(theirs)];
    const nothing = '00000000-0000-7000-8000-000000000000';
    const unknown: Ids = { ...foreign };
    for (const kind of Object.keys(unknown)) Object.assign(unknown, { [kind]: nothing });
    for (const ids of [foreign, unknown])
      for (const [what, status] of (await callsWith(ids)).map(([what, call]) => [what, statusOf(call)] as const))
        expect([what, await status]).toEqual([what, 404]);
    expect([await seasonOf(mine), await seasonOf(theirs)]).toEqual(before);
  });

  it('answers 402 for a claim too early or twice, of a challenge and of a level', async () => {
    const { projectId } = await daemon.admin
      .call(projectRoutes.create, { body: { name: 'Claims' } })
      .then(({ id }) => ({ projectId: id }));
    const ids = await fill(projectId);
    const { admin } = daemon;
    const of = (id: string) => ({ params: { projectId, userId, id } });
    const kill = (amount: number) =>
      admin.call(playerRoutes.sendEvent, {
        params: { projectId, userId },
        body: { event_name: 'kill-enemy', meta_data: { amount } },
      });
    const refused = { status: 402, code: 'action_not_possible' };
    const claims = () => [
      admin.call(playerRoutes.claim, of(ids.challenge)),
      admin.call(battlePassProgressRoutes.claimLevel, of(ids.level)),
    ];
    const allRefused = async () => {
      await Promise.all(claims().map((claim) => expect(claim).rejects.toMatchObject(refused)));
    };
    await allRefused();
    await admin.call(playerRoutes.unlock, of(ids.challenge));
    await admin.call(battlePassProgressRoutes.unlock, { ...of(ids.pass), body: {} });
    await allRefused();
    await admin.call(playerRoutes.activate, of(ids.challenge));
    await admin.call(battlePassProgressRoutes.activateLevel, of(ids.level));
    await kill(2);
    await allRefused();
    await kill(1);
    await Promise.all(claims());
    await allRefused();
  });

  it('answers 400 naming the field for levels in one place and an end before the start, and stores nothing', async () => {
    const { id: projectId } = await daemon.admin.call(projectRoutes.create, { body: { name: 'Fields' } });
    const ids = await fill(projectId);
    const { admin } = daemon;
    const params = { projectId };
    const before = await seasonOf(projectId);
    const early = { startDate: '2027-02-01T00:00:00Z', endDate: '2027-01-01T00:00:00Z' };
    const level = { position: 1, challenges: [killThree] };
    const file = { key: 'new', name: 'New' };
    const inFile = (battlePass: object) =>
      admin.call(seasonRoutes.apply, {
        params,
        body: {
          season: {
            challenges: [{ key: 'fine', ...killThree }],
            battlePasses: [{ ...file, ...battlePass }],
          },
        },
      });
    const board = { name: 'Kills', eventName: 'kill-enemy', ...early } as const;
    const refusals: [Promise<unknown>, string][] = [
      [admin.call(battlePassLevelRoutes.create, { params: { ...params, id: ids.pass }, body: level }), 'body.position'],
      [admin.call(battlePassRoutes.create, { params, body: { name: 'Late', ...early } }), 'body.endDate'],
      [admin.call(battlePassRoutes.update, { params: { ...params, id: ids.pass }, body: early }), 'body.endDate'],
      [admin.call(leaderboardRoutes.create, { params, body: board }), 'body.endDate'],
      [inFile(early), 'body.season.battlePasses.0.endDate'],
      [
        inFile({
          levels: [
            { key: 'a', position: 1 },
            { key: 'b', position: 1 },
          ],
        }),
        'body.season.battlePasses.0.levels.1.position',
      ],
    ];
    await Promise.all(
      refusals.map(([call, path]) =>
        expect(call).rejects.toMatchObject({ status: 400, code: 'validation_failed', details: [{ path }] }),
      ),
    );
    expect(await seasonOf(projectId)).toEqual(before);
  });
});
