/** Configuration of battle passes and their levels. */
import { battlePassLevelRoutes, levelChallengeRoutes } from '../../../../src/contract/gameplay/battle-pass-levels.js';
import { battlePassRoutes } from '../../../../src/contract/gameplay/battle-passes.js';
import { type BoundRoute, bind } from '../../../platform/http/bind.js';
import type { BattlePassLevelService } from './level-service.js';
import type { BattlePassService } from './service.js';

export const battlePassRouter = (passes: BattlePassService, levels: BattlePassLevelService): BoundRoute[] => [
  ...bind(battlePassRoutes, {
    list: ({ project, query }) => passes.list(project.projectId, query),
    create: ({ project, body }) => passes.create(project.projectId, body),
    get: ({ project, params }) => passes.get(project.projectId, params.id),
    update: ({ project, params, body }) => passes.update(project.projectId, params.id, body),
    delete: ({ project, params }) => passes.delete(project.projectId, params.id),
  }),
  ...bind(battlePassLevelRoutes, {
    list: ({ project, params, query }) => levels.list(project.projectId, params.id, query),
    create: ({ project, params, body }) => levels.create(project.projectId, params.id, body),
    get: ({ params }) => levels.get(params),
    update: ({ params, body }) => levels.update(params, body),
    setRewards: ({ project, params, body }) => levels.setRewards(project.projectId, params.id, body),
    delete: ({ params }) => levels.delete(params),
  }),
  ...bind(levelChallengeRoutes, {
    list: async ({ project, params }) => ({ challenges: await levels.challenges(project.projectId, params.levelId) }),
    create: ({ project, params, body }) => levels.addChallenge(project.projectId, params.levelId, body),
    get: ({ project, params }) => levels.getChallenge(project.projectId, params.levelId, params.id),
    update: ({ project, params, body }) => levels.updateChallenge(project.projectId, params.levelId, params.id, body),
    delete: ({ project, params }) => levels.deleteChallenge(project.projectId, params.levelId, params.id),
  }),
];
