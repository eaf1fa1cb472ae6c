import { Flags } from '@oclif/core';
import { flagsFor, requestFrom } from '../../src/cli/fields.js';
import { RuleCommand } from '../../src/cli/rules.js';
import { ruleDecisionRoutes } from '../../src/contract/rules/rule-decisions.js';

export default class RulesDecisions extends RuleCommand {
  static override summary = ruleDecisionRoutes.list.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> --rule "Watch your language" --outcome matched',
    '<%= config.bin %> <%= command.id %> --external-user-id u_42',
  ];
  static override flags = {
    ...flagsFor(ruleDecisionRoutes.list.query, ['ruleId']),
    rule: Flags.string({ description: 'Of this rule, by its id or name' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.input(RulesDecisions);
    const { rule: named, ...typed } = flags;
    const projectId = await this.projectId();
    const rule = named === undefined ? {} : { ruleId: (await this.rule(projectId, named)).id };
    const answer = await this.client.call(ruleDecisionRoutes.list, {
      params: { projectId },
      query: { ...requestFrom(ruleDecisionRoutes.list.query, typed), ...rule },
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
