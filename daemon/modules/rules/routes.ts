import { ruleDecisionRoutes } from '../../../src/contract/rules/rule-decisions.js';
import { ruleTestRoutes } from '../../../src/contract/rules/rule-tests.js';
import { ruleRoutes } from '../../../src/contract/rules/rules.js';
import { hasScope, mayActAs } from '../../platform/http/authorisation.js';
import { bind } from '../../platform/http/bind.js';
import type { RuleDecisions } from './decisions/service.js';
import type { Rules } from './resource/service.js';
import type { RuleUndoing } from './resource/undoing.js';
import type { RuleTrial } from './testing/rule-trial.js';

export const ruleRouter = (rules: Rules, decisions: RuleDecisions, trial: RuleTrial, undoing: RuleUndoing) => [
  ...bind(ruleTestRoutes, {
    run: ({ project, caller, body }) =>
      trial.run(project, body, {
        words: hasScope(caller, 'messages:read'),
        sanctions: hasScope(caller, 'sanctions:read'),
      }),
  }),
  ...bind(ruleRoutes, {
    list: ({ project, query }) => rules.list(project.projectId, query),
    create: ({ project, caller, body }) => rules.create(project, caller.id, body),
    get: ({ project, params }) => rules.get(project.projectId, params.id),
    update: ({ project, caller, params, body }) => rules.update(project, caller.id, params.id, body),
    remove: ({ project, params }) => rules.remove(project, params.id),
    versions: ({ project, params }) => rules.versions(project.projectId, params.id),
    rollBack: ({ project, caller, params, body }) => rules.rollBack(project, caller.id, params.id, body.version),
    undo: ({ project, caller, params, body }) =>
      undoing.undo(project.projectId, params.id, { ...body, actorId: caller.id }),
    getSwitch: ({ project }) => rules.getSwitch(project.projectId),
    setSwitch: ({ project, caller, body }) => rules.setSwitch(project, caller.id, body.stopped),
  }),
  ...bind(ruleDecisionRoutes, {
    list: ({ project, query }) => decisions.list(project.projectId, query),
    get: ({ project, params }) => decisions.get(project.projectId, params.id),
    replay: ({ project, params }) => decisions.replay(project.projectId, params.id),
    chain: ({ project, caller, params }) =>
      decisions.chain(project.projectId, params.id, {
        moderator: mayActAs('moderator', caller, project, 'sanctions'),
        words: hasScope(caller, 'messages:read'),
        decisions: hasScope(caller, 'plugins:read'),
      }),
  }),
];
