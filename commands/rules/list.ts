import { ProjectCommand } from '../../src/cli/command/command.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { RuleListQuery, ruleRoutes } from '../../src/contract/rules/rules.js';

export default class RulesList extends ProjectCommand {
  static override summary = ruleRoutes.list.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --mode enforce --enabled',
  ];
  static override flags = flagsFor(RuleListQuery);

  async run(): Promise<void> {
    const { flags } = await this.input(RulesList);
    const params = { projectId: await this.projectId() };
    const query = requestFrom(RuleListQuery, flags);
    const rules = await this.client.call(ruleRoutes.list, { params, query });
    const { stopped } = await this.client.call(ruleRoutes.getSwitch, { params });
    const rows = rules.map((rule) => ({ ...rule, mode: rule.definition.mode }));
    this.list(rules, rows, ['name', 'enabled', 'mode', 'version', 'sanctionsPerHourMax', 'updatedAt', 'id']);
    if (stopped) this.logToStderr('All rules are stopped. `rules stop-all --resume` resumes them.');
  }
}
