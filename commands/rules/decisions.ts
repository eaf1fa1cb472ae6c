import { ProjectCommand } from '../../src/cli/command.js';
import { flagsFor, requestFrom, stated } from '../../src/cli/fields.js';
import { nameFlag } from '../../src/cli/names/kinds.js';
import { ruleDecisionRoutes } from '../../src/contract/rules/rule-decisions.js';

export default class RulesDecisions extends ProjectCommand {
  static override summary = ruleDecisionRoutes.list.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> --rule "Watch your language" --outcome matched',
    '<%= config.bin %> <%= command.id %> --external-user-id u_42',
  ];
  static override flags = {
    ...flagsFor(ruleDecisionRoutes.list.query, ['ruleId']),
    rule: nameFlag('rule', 'Of this rule, by name or id'),
  };

  async run(): Promise<void> {
    const { flags } = await this.input(RulesDecisions);
    const { rule, ...typed } = flags;
    const projectId = await this.projectId();
    const answer = await this.client.call(ruleDecisionRoutes.list, {
      params: { projectId },
      query: { ...requestFrom(ruleDecisionRoutes.list.query, typed), ...stated({ ruleId: rule }) },
    });
    const rows = answer.decisions.map((one) => ({
      ...one,
      step: one.verdict?.step ?? null,
      score: one.verdict?.score ?? null,
    }));
    this.list(answer, rows, [
      ...['id', 'decidedAt', 'ruleId', 'version', 'mode', 'outcome', 'externalUserId', 'score', 'step', 'sanctionIds'],
    ]);
  }
}
