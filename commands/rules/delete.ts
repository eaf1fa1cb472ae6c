import { RuleCommand, ruleArgs } from '../../src/cli/rules/rules.js';
import { confirm, yesFlag } from '../../src/cli/terminal/confirm.js';
import { ruleRoutes } from '../../src/contract/rules/rules.js';

export default class RulesDelete extends RuleCommand {
  static override summary = ruleRoutes.remove.summary;
  static override aliases = ['rules:remove'];
  static override examples = [
    '<%= config.bin %> <%= command.id %> RULE',
    '<%= config.bin %> <%= command.id %> RULE --yes',
  ];
  static override args = ruleArgs;
  static override flags = yesFlag;

  async run(): Promise<void> {
    const { args, flags } = await this.input(RulesDelete);
    const projectId = await this.projectId();
    const { id, name } = await this.rule(projectId, args.id);
    await confirm(name, `This deletes the rule ${name} with its versions; its sanctions stay.`, flags);
    this.show(await this.client.call(ruleRoutes.remove, { params: { projectId, id } }));
  }
}
