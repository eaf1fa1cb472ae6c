import { SwitchRule } from '../../src/cli/rules/rules.js';

export default class RulesEnable extends SwitchRule {
  static override summary = 'Enable a rule, for messages from now on.';
  static override examples = ['<%= config.bin %> <%= command.id %> RULE'];

  protected readonly enabled = true;
}
