import { ProjectCommand } from '../../src/cli/command.js';
import { ruleRoutes } from '../../src/contract/rules/rules.js';

export default class RulesList extends ProjectCommand {
  static override summary = ruleRoutes.list.summary;
  static override examples = ['<%= config.bin %> <%= command.id %>'];

  async run(): Promise<void> {
    await this.input(RulesList);
    const params = { projectId: await this.projectId() };
    const rules = await this.client.call(ruleRoutes.list, { params });
    const { stopped } = await this.client.call(ruleRoutes.getSwitch, { params });
    const rows = rules.map((rule) => ({ ...rule, mode: rule.definition.mode }));
    this.list(rules, rows, ['id', 'name', 'enabled', 'mode', 'version', 'sanctionsPerHourMax', 'updatedAt']);
    if (stopped) this.logToStderr('All rules are stopped. `rules stop-all --resume` lets them go on.');
  }
}
