/** Challenges, players and game events. */
import { randomUUID } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import {
  categoriesPerProjectMax,
  challengeCategoryRoutes,
} from '../../../../src/contract/gameplay/challenge-categories.js';
import {
  type Counting,
  challengeRoutes,
  challengesPerProjectMax,
} from '../../../../src/contract/gameplay/challenges.js';
import { playerRoutes } from '../../../../src/contract/gameplay/players.js';
import { seasonRoutes } from '../../../../src/contract/gameplay/season-routes.js';
import { bearer, but, type Case, type Cases, elsewhere, just, type Made, type SceneOf } from '../case.js';
import type { World } from '../world.js';

const unknown = '00000000-0000-7000-8000-000000000000';
const eventName = 'kill-enemy';
const kill = { event_name: eventName, meta_data: { amount: 1 }, metadata: undefined };

type Fields = { projectId?: string; counting?: typeof Counting._output; autoActivated?: boolean };
const challenge = (world: World, { projectId = world.projectId, ...fields }: Fields = {}) =>
  world.client.call(challengeRoutes.create, {
    params: { projectId },
    body: { name: 'Kill once', eventName, goal: 1, ...fields },
  });
const category = (world: World, projectId: string) =>
  world.client.call(challengeCategoryRoutes.create, {
    params: { projectId },
    body: { name: 'Daily', slug: randomUUID() },
  });

/** A project holds only so many challenges, so players share one of each kind. */
const shared = new WeakMap<World, Map<string, Promise<string>>>();
export function sharedChallenge(world: World, counting: typeof Counting._output = 'per-session'): Promise<string> {
  const known = shared.get(world) ?? new Map<string, Promise<string>>();
  shared.set(world, known);
  const one = known.get(counting) ?? challenge(world, { counting }).then(({ id }) => id);
  known.set(counting, one);
  return one;
}

type Step = 'unlock' | 'activate' | 'complete' | 'claim';
/** A new player who has gone these steps with the shared challenge; in the words of both kinds of operations. */
const player =
  (...steps: readonly Step[]): SceneOf =>
  async (world) => {
    const { projectId } = world;
    const [userId, challengeId] = [randomUUID(), await sharedChallenge(world)];
    const params = { projectId, userId, id: challengeId };
    for (const step of steps) {
      if (step === 'complete') {
        const body = { event_name: eventName, meta_data: { amount: 1 } };
        await world.client.call(playerRoutes.sendEvent, { params, body });
      } else await world.client.call(playerRoutes[step], { params });
    }
    const { token } = await world.client.call(playerRoutes.createToken, { params });
    return { params: { userId, id: challengeId, challengeId }, query: {}, player: token };
  };

/** Another challenge in progress counts the same event in another way. */
const conflicting: SceneOf = async (world) => {
  const scene = await player('unlock', 'activate')(world);
  const id = await sharedChallenge(world, 'total');
  const userId = scene.params?.userId ?? '';
  await world.client.call(playerRoutes.unlock, { params: { projectId: world.projectId, userId, id } });
  return { ...scene, params: { userId, id, challengeId: id } };
};
const act = (before: readonly Step[], impossible: readonly Step[], refuses: Case['refuses'] = {}): Case => ({
  works: player(...before),
  refuses: { action_not_possible: player(...impossible), ...refuses },
});
const unlock = act([], ['unlock']);
const activate = act(['unlock'], [], { counting_conflict: conflicting });
const cancel = act(['unlock', 'activate'], ['unlock', 'activate', 'complete', 'claim']);
const claim = act(['unlock', 'activate', 'complete'], ['unlock']);

/** A player's token under the name of a key. */
const undeclared: SceneOf = async (world) => {
  const params = { projectId: world.projectId, userId: 'somebody' };
  const { token } = await world.client.call(playerRoutes.createToken, { params });
  return { headers: bearer(token), query: { auth: 'api_key' } };
};

const busy = { rate_limited: elsewhere('test/game-events/rate-limits.test.ts', "code: 'rate_limited'") };
const inTwoWays = elsewhere('test/challenges/counting-conflicts.test.ts', 'in a change of a challenge and of a season');
const atItsLimit = { overloaded: elsewhere('test/platform/database/group-commit.test.ts', 'is told to wait') };
const event: Case = {
  works: () => ({ body: but(kill) }),
  refuses: {
    ...busy,
    ...atItsLimit,
    idempotency_mismatch: elsewhere('test/game-events/event-keys.test.ts', 'refuses every other one'),
    unknown_event: () => ({ body: but({ event_name: 'no-such-event' }) }),
    game_event_invalid: () => ({ body: but({ ...kill, meta_data: { amount: 'many' } }) }),
  },
};

/** Returns fields that fit a challenge of an event of the catalogue. */
const sound = (made: Made): Made => ({
  ...made,
  eventName,
  countProperty: undefined,
  metadataConditions: undefined,
  categoryId: undefined,
  autoActivated: undefined,
  durationMinutes: made.goalCondition === 1 ? 60 : made.durationMinutes,
});
const conflictInProject = async (world: World): Promise<string> => {
  const projectId = await world.bareProject();
  await challenge(world, { projectId, autoActivated: true, counting: 'total' });
  return projectId;
};
const counted = { name: 'Kill', eventName, goal: 1, autoActivated: true, counting: 'per-session' };
const ofProject =
  (make: (world: World, projectId: string) => Promise<{ id: string }>): SceneOf =>
  async (world) => {
    const projectId = await world.bareProject();
    return { params: { projectId, id: (await make(world, projectId)).id } };
  };
const oneCategory = ofProject(category);
const oneChallenge = ofProject((world, projectId) => challenge(world, { projectId }));

const deletedChallenge: SceneOf = async (world) => {
  const scene = await oneChallenge(world);
  const params = { projectId: scene.params?.projectId ?? world.projectId, id: scene.params?.id ?? '' };
  await world.client.call(challengeRoutes.delete, { params });
  return scene;
};

const language = () => ({ query: { language: 'en' } });
const byPlayer: Case = { works: player() };

/** Replaces a generated season, whose references lead nowhere, by the example of the contract. */
const seasonThatFits = (made: Made): Made =>
  JSON.stringify(made.season).includes('"three-down"') ? made : { ...made, season: {} };

/** A season that was applied, and then changed on the daemon. */
const seasonChanged: SceneOf = async (world) => {
  const projectId = await world.bareProject();
  const season = (goal: number) => ({ challenges: [{ key: 'kill', name: 'Kill', eventName, goal }] });
  await world.client.call(seasonRoutes.apply, { params: { projectId }, body: { season: season(1) } });
  const { challenges } = await world.client.call(challengeRoutes.list, { params: { projectId } });
  const params = { projectId, id: challenges[0]?.id ?? '' };
  await world.client.call(challengeRoutes.update, { params, body: { goal: 2 } });
  return { params: { projectId }, body: just({ season: season(3) }) };
};

/** A season that was applied, and stored in a form of a later version. */
const seasonUnreadable: SceneOf = async (world) => {
  const projectId = await world.bareProject();
  await world.client.call(seasonRoutes.apply, { params: { projectId }, body: { season: {} } });
  await world.rows((tx) => tx.appliedSeason.update({ where: { projectId }, data: { season: '0' } }));
  return { params: { projectId }, body: just({ season: {} }) };
};

export const gameplayCases: Cases = {
  applySeason: {
    works: async (world) => ({ params: { projectId: await world.bareProject() }, body: seasonThatFits }),
    refuses: { season_changed: seasonChanged, season_unreadable: seasonUnreadable, counting_conflict: inTwoWays },
  },
  countGameplayProgress: { works: oneChallenge },
  undoGameplayDeletion: {
    works: deletedChallenge,
    refuses: {
      deletion_conflict: elsewhere(
        'test/seasons/deletions.test.ts',
        'restores nothing where another object has the place now',
      ),
    },
  },
  importGameEvents: {
    works: () => ({ body: but({ events: [{ ...kill, user_id: 'u' }] }) }),
    refuses: { ...busy, ...atItsLimit },
  },
  exportGameEvents: {
    refuses: {
      rate_limited: elsewhere('test/game-events/event-export.test.ts', 'refuses a third export of the tenant'),
    },
  },
  generateAccessToken: {},
  getUserChallengeNotificationTopic: {
    works: async (world) => ({ query: { challenge_id: await sharedChallenge(world) } }),
    refuses: { challenge_not_found: () => ({ query: { challenge_id: unknown } }) },
  },
  sendEvent: {
    works: () => ({ query: { auth: 'api_key' }, body: but({ ...kill, user_id: 'u' }) }),
    refuses: {
      ...event.refuses,
      user_mismatch: async (world) => {
        const params = { projectId: world.projectId, userId: 'somebody' };
        const { token } = await world.client.call(playerRoutes.createToken, { params });
        return { headers: bearer(token), query: { auth: 'access_token' }, body: but({ ...kill, user_id: 'else' }) };
      },
      credential_kind: undeclared,
    },
  },
  sendEvents: {
    works: () => ({ query: { auth: 'api_key' } }),
    refuses: { ...busy, ...atItsLimit, credential_kind: undeclared },
  },
  getPersonalChallenges: { works: language },
  getAllPersonalChallenges: { works: language },
  getUnresolvedPersonalChallenges: { works: language },
  getActivePersonalChallenges: { works: language },
  getPersonalChallengeById: byPlayer,
  unlockPersonalChallenge: unlock,
  activatePersonalChallenge: activate,
  cancelPersonalChallenge: cancel,
  claimPersonalChallengeReward: claim,

  getChallengeCategory: { works: oneCategory },
  createChallengeCategory: {
    works: async (world) => ({ params: { projectId: await world.bareProject() } }),
    refuses: {
      challenge_category_slug_taken: async (world) => {
        const projectId = await world.bareProject();
        const { slug } = await category(world, projectId);
        return { params: { projectId }, body: but({ slug }) };
      },
      challenge_limit_reached: async (world) => {
        const projectId = await world.bareProject();
        const at = new Date(world.inSeconds(0));
        const row = { projectId, name: '{"en":"x"}', position: 0, isDaily: false, createdAt: at, updatedAt: at };
        const data = Array.from({ length: categoriesPerProjectMax }, () => ({
          ...row,
          id: uuidv7(),
          slug: randomUUID(),
        }));
        await world.rows((tx) => tx.challengeCategory.createMany({ data }));
        return { params: { projectId } };
      },
    },
  },
  updateChallengeCategory: {
    works: oneCategory,
    refuses: {
      challenge_category_slug_taken: async (world) => {
        const projectId = await world.bareProject();
        const [one, other] = [await category(world, projectId), await category(world, projectId)];
        return { params: { projectId, id: one.id }, body: but({ slug: other.slug }) };
      },
    },
  },
  deleteChallengeCategory: {
    works: oneCategory,
    refuses: {
      challenge_category_in_use: async (world) => {
        const projectId = await world.bareProject();
        return { params: { projectId, id: (await challenge(world, { projectId })).categoryId } };
      },
    },
  },
  getChallenge: { works: oneChallenge },
  getChallengeCompletion: { works: oneChallenge },
  createChallenge: {
    works: async (world) => ({ params: { projectId: await world.bareProject() }, body: sound }),
    refuses: {
      challenge_category_not_found: () => ({ body: (made) => ({ ...sound(made), categoryId: unknown }) }),
      counting_conflict: async (world) => ({
        params: { projectId: await conflictInProject(world) },
        body: just(counted),
      }),
      challenge_limit_reached: async (world) => {
        const projectId = await world.bareProject();
        const { id } = await challenge(world, { projectId });
        await world.rows(async (tx) => {
          const columns = Object.keys(await tx.challenge.findUniqueOrThrow({ where: { id } })).map(
            (name) => `"${name}"`,
          );
          const values = columns.map((name) => (name === '"id"' ? '"id" || n' : name));
          await tx.$executeRawUnsafe(
            `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
             INSERT INTO "Challenge" (${columns}) SELECT ${values} FROM "Challenge", numbers WHERE "id" = ?`,
            challengesPerProjectMax - 1,
            id,
          );
        });
        return { params: { projectId } };
      },
    },
  },
  updateChallenge: {
    works: async (world) => ({
      ...(await oneChallenge(world)),
      body: (made) => ({ ...sound(made), goalCondition: 0 }),
    }),
    refuses: {
      challenge_category_not_found: () => ({ body: just({ categoryId: unknown }) }),
      counting_conflict: async (world) => {
        const projectId = await conflictInProject(world);
        const { id } = await challenge(world, { projectId });
        return { params: { projectId, id }, body: just(counted) };
      },
    },
  },
  deleteChallenge: { works: oneChallenge },

  getPlayerTopic: {
    works: async (world) => ({
      params: { userId: randomUUID() },
      body: just({ challengeId: await sharedChallenge(world) }),
    }),
    refuses: {
      challenge_not_found: () => ({ body: just({ challengeId: unknown }) }),
      battle_pass_not_found: () => ({ body: just({ battlePassId: unknown }) }),
    },
  },
  sendPlayerEvent: event,
  unlockPlayerChallenge: unlock,
  activatePlayerChallenge: activate,
  cancelPlayerChallenge: cancel,
  claimPlayerChallenge: claim,
  resetPlayerChallenge: act(['unlock'], []),
  setPlayerChallengeProgress: {
    works: async (world) => ({ ...(await player('unlock')(world)), body: but({ add: undefined, counter: 0 }) }),
    refuses: {
      action_not_possible: async (world) => ({
        ...(await player('unlock', 'activate', 'complete')(world)),
        body: just({ counter: 0, reason: 'lost' }),
      }),
      counting_conflict: async (world) => ({
        ...(await conflicting(world)),
        body: just({ counter: 0, reason: 'lost' }),
      }),
    },
  },
};
