import * as Args from '@oclif/core/args';
import { ProjectCommand } from '../../src/cli/command/command.js';
import { ruleDecisionRoutes } from '../../src/contract/rules/rule-decisions.js';

export default class RulesDecision extends ProjectCommand {
  static override summary = ruleDecisionRoutes.get.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> DECISION'];
  static override args = { id: Args.string({ required: true, description: 'Decision id' }) };

  async run(): Promise<void> {
    const { args } = await this.input(RulesDecision);
    const params = { projectId: await this.projectId(), id: args.id };
    this.show(await this.client.call(ruleDecisionRoutes.get, { params }));
  }
}
