/** Configuration of battle passes and their levels. */
import { battlePassLevelRoutes, levelChallengeRoutes } from '../../../../src/contract/gameplay/battle-pass-levels.js';
import { battlePassRoutes } from '../../../../src/contract/gameplay/battle-passes.js';
import { type BoundRoute, bind } from '../../../platform/http/bind.js';
import type { BattlePassLevelService } from './level-service.js';
import type { BattlePassService } from './service.js';

export const battlePassRouter = (passes: BattlePassService, levels: BattlePassLevelService): BoundRoute[] => [
  ...bind(battlePassRoutes, {
    list: ({ params, query }) => passes.list(params.projectId, query),
    create: ({ params, body }) => passes.create(params.projectId, body),
    get: ({ params }) => passes.get(params.projectId, params.id),
    update: ({ params, body }) => passes.update(params.projectId, params.id, body),
    delete: ({ params }) => passes.delete(params.projectId, params.id),
  }),
  ...bind(battlePassLevelRoutes, {
    list: ({ params, query }) => levels.list(params.projectId, params.id, query),
    create: ({ params, body }) => levels.create(params.projectId, params.id, body),
    get: ({ params }) => levels.get(params),
    update: ({ params, body }) => levels.update(params, body),
    delete: ({ params }) => levels.delete(params),
  }),
  ...bind(levelChallengeRoutes, {
    list: async ({ params }) => ({ challenges: await levels.challenges(params.projectId, params.levelId) }),
    create: ({ params, body }) => levels.addChallenge(params.projectId, params.levelId, body),
    get: ({ params }) => levels.getChallenge(params.projectId, params.levelId, params.id),
    update: ({ params, body }) => levels.updateChallenge(params.projectId, params.levelId, params.id, body),
    delete: ({ params }) => levels.deleteChallenge(params.projectId, params.levelId, params.id),
  }),
];
