import * as Args from '@oclif/core/args';
import { commandRow } from '../../src/cli/command/row.js';
import { ruleDecisionRoutes } from '../../src/contract/rules/rule-decisions.js';

export default {
  decision: commandRow({
    route: ruleDecisionRoutes.get,
    examples: ['DECISION'],
    args: { id: Args.string({ required: true, description: 'Decision id' }) },
  }),
};
