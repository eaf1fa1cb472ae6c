/** Battle passes: their configuration, and what players and operators do with them. */
import { randomUUID } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import {
  battlePassLevelRoutes,
  challengesPerLevelMax,
  levelChallengeRoutes,
  levelsPerBattlePassMax,
} from '../../../../src/contract/gameplay/battle-pass-levels.js';
import { battlePassProgressRoutes } from '../../../../src/contract/gameplay/battle-pass-progress.js';
import { battlePassesPerProjectMax, battlePassRoutes } from '../../../../src/contract/gameplay/battle-passes.js';
import { playerRoutes } from '../../../../src/contract/gameplay/players.js';
import { but, type Case, type Cases, elsewhere, just, type Made, type SceneOf } from '../case.js';
import type { World } from '../world.js';
import { sharedChallenge } from './gameplay.js';

const unknown = '00000000-0000-7000-8000-000000000000';
const eventName = 'kill-enemy';
const killOnce = { name: 'Kill once', eventName, goal: 1 } as const;
const inTotal = { ...killOnce, counting: 'total' } as const;

/** A pass with one level, which has one challenge. */
async function newPass(world: World, projectId: string) {
  const { client } = world;
  const { id } = await client.call(battlePassRoutes.create, { params: { projectId }, body: { name: 'Season' } });
  const body = { position: 1, challenges: [killOnce] };
  const level = await client.call(battlePassLevelRoutes.create, { params: { projectId, id }, body });
  return { id, levelId: level.id, challengeId: level.challenges[0]?.id ?? '' };
}

/** A project holds only so many passes, so players share one. */
const shared = new WeakMap<World, ReturnType<typeof newPass>>();
function sharedPass(world: World): ReturnType<typeof newPass> {
  const pass = shared.get(world) ?? newPass(world, world.projectId);
  shared.set(world, pass);
  return pass;
}

type Step = 'unlock' | 'activate' | 'complete' | 'claim';
/** A new player who has gone these steps in the shared pass; `id`: what the operation is about. */
const player =
  (about: 'pass' | 'level', ...steps: readonly Step[]): SceneOf =>
  async (world) => {
    const { projectId, client } = world;
    const { id, levelId } = await sharedPass(world);
    const params = { projectId, userId: randomUUID() };
    const onLevel = { params: { ...params, id: levelId } };
    for (const step of steps) {
      if (step === 'unlock')
        await client.call(battlePassProgressRoutes.unlock, { params: { ...params, id }, body: {} });
      else if (step === 'activate') await client.call(battlePassProgressRoutes.activateLevel, onLevel);
      else if (step === 'claim') await client.call(battlePassProgressRoutes.claimLevel, onLevel);
      else
        await client.call(playerRoutes.sendEvent, {
          params,
          body: { event_name: eventName, meta_data: { amount: 1 } },
        });
    }
    const { token } = await client.call(playerRoutes.createToken, { params });
    const named = { userId: params.userId, id: about === 'pass' ? id : levelId, battlePassId: id, levelId };
    return { params: named, query: {}, player: token };
  };
const conflicting: SceneOf = async (world) => {
  const scene = await player('level', 'unlock')(world);
  const id = await sharedChallenge(world, 'total');
  const params = { projectId: world.projectId, userId: scene.params?.userId ?? '', id };
  await world.client.call(playerRoutes.unlock, { params });
  await world.client.call(playerRoutes.activate, { params });
  return scene;
};
const unlock: Case = { works: player('pass'), refuses: { action_not_possible: player('pass', 'unlock') } };
const activate: Case = {
  works: player('level', 'unlock'),
  refuses: { action_not_possible: player('level', 'unlock', 'activate'), counting_conflict: conflicting },
};
const claim: Case = {
  works: player('level', 'unlock', 'activate', 'complete'),
  refuses: { action_not_possible: player('level', 'unlock', 'activate') },
};
const byPlayer: Case = { works: player('pass') };

const withoutDates = but({ startDate: undefined, endDate: undefined });
const sound = (made: Made): Made => ({
  ...made,
  ...{ eventName, countProperty: undefined, metadataConditions: undefined, counting: undefined, goalCondition: 0 },
});
const bare: SceneOf = async (world) => ({ params: { projectId: await world.bareProject() } });
const onPass: SceneOf = async (world) => {
  const projectId = await world.bareProject();
  const { id, levelId } = await newPass(world, projectId);
  return { params: { projectId, id, levelId } };
};
const onChallenge: SceneOf = async (world) => {
  const projectId = await world.bareProject();
  const { levelId, challengeId } = await newPass(world, projectId);
  return { params: { projectId, levelId, id: challengeId } };
};
const noSuchLevel: Case['refuses'] = {
  battle_pass_level_not_found: async (world) => {
    const { params } = await onPass(world);
    return { params: { ...params, levelId: unknown } };
  },
};
const noSuchChallenge: Case['refuses'] = {
  challenge_not_found: async (world) => {
    const { params } = await onChallenge(world);
    return { params: { ...params, id: unknown } };
  },
};

/** Creates passes, levels or challenges up to the limit. */
const full =
  (of: 'battlePass' | 'level' | 'challenge', max: number): SceneOf =>
  async (world) => {
    const projectId = await world.bareProject();
    const { id, levelId, challengeId } = await newPass(world, projectId);
    await world.rows(async (tx) => {
      const more = Array.from({ length: max - 1 }, (_, index) => ({ id: uuidv7(), position: index + 2 }));
      if (of === 'battlePass') {
        const row = await tx.battlePass.findUniqueOrThrow({ where: { id } });
        await tx.battlePass.createMany({ data: more.map((one) => ({ ...row, id: one.id })) });
      } else if (of === 'level') {
        const row = await tx.battlePassLevel.findUniqueOrThrow({ where: { id: levelId } });
        await tx.battlePassLevel.createMany({ data: more.map((one) => ({ ...row, ...one })) });
      } else {
        const row = await tx.challenge.findUniqueOrThrow({ where: { id: challengeId } });
        await tx.challenge.createMany({
          data: more.map((one) => ({ ...row, id: one.id, levelPosition: one.position })),
        });
      }
    });
    return { params: { projectId, id, levelId } };
  };

export const battlePassCases: Cases = {
  createBattlePass: {
    works: async (world) => ({ ...(await bare(world)), body: withoutDates }),
    refuses: { battle_pass_limit_reached: full('battlePass', battlePassesPerProjectMax) },
  },
  getBattlePassConfiguration: { works: onPass },
  updateBattlePass: {
    works: async (world) => ({ ...(await onPass(world)), body: withoutDates }),
    refuses: {
      counting_conflict: elsewhere('test/challenges/counting-conflicts.test.ts', 'a pass that has ended would go on'),
    },
  },
  deleteBattlePass: { works: onPass },
  listBattlePassLevels: { works: onPass },
  createBattlePassLevel: {
    works: async (world) => ({ ...(await onPass(world)), body: but({ challenges: undefined, position: 2 }) }),
    refuses: {
      counting_conflict: async (world) => ({
        ...(await onPass(world)),
        body: just({ position: 2, challenges: [inTotal] }),
      }),
      battle_pass_limit_reached: full('level', levelsPerBattlePassMax),
    },
  },
  getBattlePassLevel: { works: onPass, refuses: noSuchLevel },
  updateBattlePassLevel: { works: onPass, refuses: noSuchLevel },
  setBattlePassRewards: {
    works: async (world) => ({
      ...(await onPass(world)),
      body: just({ levels: [{ position: 1, rewardType: 'coin' }] }),
    }),
  },
  deleteBattlePassLevel: { works: onPass, refuses: noSuchLevel },
  listLevelChallenges: { works: onPass },
  createLevelChallenge: {
    works: async (world) => ({ ...(await onPass(world)), body: sound }),
    refuses: {
      counting_conflict: () => ({ body: just(inTotal) }),
      battle_pass_limit_reached: full('challenge', challengesPerLevelMax),
    },
  },
  getLevelChallenge: { works: onChallenge, refuses: noSuchChallenge },
  updateLevelChallenge: {
    works: async (world) => ({ ...(await onChallenge(world)), body: sound }),
    refuses: {
      ...noSuchChallenge,
      counting_conflict: async (world) => {
        const { params } = await onChallenge(world);
        const path = { projectId: params?.projectId ?? '', levelId: params?.levelId ?? '' };
        await world.client.call(levelChallengeRoutes.create, { params: path, body: killOnce });
        return { params: params ?? {}, body: just({ counting: 'total' }) };
      },
    },
  },
  deleteLevelChallenge: { works: onChallenge, refuses: noSuchChallenge },

  getBattlePass: byPlayer,
  getBattlePassLevels: byPlayer,
  unlockBattlePass: unlock,
  activateBattlePassLevel: activate,
  claimBattlePassLevelReward: claim,
  getUserBattlePassNotificationTopic: {
    works: async (world) => ({ query: { battle_pass_id: (await sharedPass(world)).id } }),
    refuses: { battle_pass_not_found: () => ({ query: { battle_pass_id: unknown } }) },
  },
  unlockPlayerBattlePass: unlock,
  grantPlayerBattlePassPremium: {
    works: player('pass', 'unlock'),
    refuses: { action_not_possible: player('pass') },
  },
  resetPlayerBattlePass: {
    works: player('pass', 'unlock'),
    refuses: { action_not_possible: player('pass') },
  },
  activatePlayerBattlePassLevel: activate,
  claimPlayerBattlePassLevel: claim,
};
