import { SwitchRule } from '../../src/cli/rules/rules.js';

export default class RulesDisable extends SwitchRule {
  static override summary = 'Stop a rule; what is said meanwhile is never judged.';
  static override examples = ['<%= config.bin %> <%= command.id %> RULE'];

  protected readonly enabled = false;
}
