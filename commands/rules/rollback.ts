import * as Args from '@oclif/core/args';
import { RuleCommand, ruleArgs } from '../../src/cli/rules/rules.js';
import { ruleRoutes } from '../../src/contract/rules/rules.js';

export default class RulesRollback extends RuleCommand {
  static override summary = ruleRoutes.rollBack.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> RULE 3'];
  static override args = {
    ...ruleArgs,
    version: Args.integer({ required: true, min: 1, description: 'Version, as `rules versions` lists it' }),
  };

  async run(): Promise<void> {
    const { args } = await this.input(RulesRollback);
    const projectId = await this.projectId();
    const body = { version: args.version };
    this.showRule(await this.client.call(ruleRoutes.rollBack, { params: { projectId, id: args.id }, body }));
  }
}
