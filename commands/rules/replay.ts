import * as Args from '@oclif/core/args';
import { ProjectCommand } from '../../src/cli/command/command.js';
import { ruleDecisionRoutes } from '../../src/contract/rules/rule-decisions.js';

export default class RulesReplay extends ProjectCommand {
  static override summary = ruleDecisionRoutes.replay.summary;
  static override description = 'Exits with 1 when the result differs or can no longer be computed.';
  static override examples = ['<%= config.bin %> <%= command.id %> DECISION'];
  static override args = { id: Args.string({ required: true, description: 'Decision id' }) };

  async run(): Promise<void> {
    const { args } = await this.input(RulesReplay);
    const params = { projectId: await this.projectId(), id: args.id };
    const replay = await this.client.call(ruleDecisionRoutes.replay, { params });
    this.show(replay);
    if (replay.identical !== true) this.checkFailed();
  }
}
