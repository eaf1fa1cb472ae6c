import { SwitchRule } from '../../src/cli/rules/rules.js';

export default class RulesDisable extends SwitchRule {
  static override summary = 'Disable a rule; messages of that time are never judged.';
  static override examples = ['<%= config.bin %> <%= command.id %> RULE'];

  protected readonly enabled = false;
}
