import { EarshotCommand } from '../../src/cli/command/command.js';
import { ruleSchema } from '../../src/contract/rules/rule-schema.js';

export default class RulesSchema extends EarshotCommand {
  static override summary = 'Print the JSON Schema of rule files, for completion and checks in editors.';
  static override examples = ['<%= config.bin %> <%= command.id %> > rule.schema.json'];

  async run(): Promise<void> {
    await this.input(RulesSchema);
    this.log(JSON.stringify(ruleSchema(), null, 2));
  }
}
