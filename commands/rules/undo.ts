import { RuleCommand, ruleArgs } from '../../src/cli/rules/rules.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { ruleRoutes, UndoRuleRequest } from '../../src/contract/rules/rules.js';

export default class RulesUndo extends RuleCommand {
  static override summary = ruleRoutes.undo.summary;
  static override description =
    '`sanctions list --by rule:NAME --since 2h` shows what that would be. Open reviews that the rule asked for are overturned, with the reason as their note. The rule itself keeps running: `rules disable` stops it.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> RULE --since 2h --reason "false alarm"',
    '<%= config.bin %> <%= command.id %> RULE --since "today 18:00" --until "today 19:00"',
  ];
  static override args = ruleArgs;
  static override flags = flagsFor(UndoRuleRequest);

  async run(): Promise<void> {
    const { args, flags } = await this.input(RulesUndo);
    const projectId = await this.projectId();
    const body = requestFrom(UndoRuleRequest, flags);
    this.show(await this.client.call(ruleRoutes.undo, { params: { projectId, id: args.id }, body }));
  }
}
