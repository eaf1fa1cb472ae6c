import { RuleCommand, ruleArgs } from '../../src/cli/rules/rules.js';
import { ruleRoutes } from '../../src/contract/rules/rules.js';

export default class RulesGet extends RuleCommand {
  static override summary = ruleRoutes.get.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> "Watch your language"'];
  static override args = ruleArgs;

  async run(): Promise<void> {
    const { args } = await this.input(RulesGet);
    const { definition, ...rule } = await this.rule(await this.projectId(), args.id);
    if (this.common.json === true) return this.show({ ...rule, definition });
    this.show(rule);
    this.log(`\n${JSON.stringify(definition, null, 2)}`);
  }
}
