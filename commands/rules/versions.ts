import { moderatorNames } from '../../src/cli/names/moderators.js';
import { RuleCommand, ruleArgs } from '../../src/cli/rules/rules.js';
import { ruleRoutes } from '../../src/contract/rules/rules.js';

export default class RulesVersions extends RuleCommand {
  static override summary = ruleRoutes.versions.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> RULE',
    '<%= config.bin %> <%= command.id %> RULE --json',
  ];
  static override args = ruleArgs;

  async run(): Promise<void> {
    const { args } = await this.input(RulesVersions);
    const projectId = await this.projectId();
    const { id, version: live } = await this.rule(projectId, args.id);
    const versions = await this.client.call(ruleRoutes.versions, { params: { projectId, id } });
    if (this.common.json === true) return this.list(versions, versions, []);
    const nameOf = await moderatorNames(this.client, projectId);
    const rows = versions.map((one) => ({
      ...one,
      '': one.version === live ? '>' : '',
      mode: one.definition.mode,
      by: nameOf(one.createdByUserId),
    }));
    this.list(versions, rows, ['', 'version', 'mode', 'copyOf', 'by', 'createdAt']);
  }
}
