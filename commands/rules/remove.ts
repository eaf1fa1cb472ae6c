import { RuleCommand, ruleArgs } from '../../src/cli/rules.js';
import { ruleRoutes } from '../../src/contract/rules/rules.js';

export default class RulesRemove extends RuleCommand {
  static override summary = ruleRoutes.remove.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> RULE'];
  static override args = ruleArgs;

  async run(): Promise<void> {
    const { args } = await this.input(RulesRemove);
    const projectId = await this.projectId();
    const { id } = await this.rule(projectId, args.id);
    this.show(await this.client.call(ruleRoutes.remove, { params: { projectId, id } }));
  }
}
