import { nameFlag } from '../../src/cli/names/kinds.js';
import { ListCommand, listFlags } from '../../src/cli/terminal/listing.js';
import { flagsFor, requestFrom, stated } from '../../src/cli/typed/fields.js';
import { type RuleDecision, ruleDecisionRoutes } from '../../src/contract/rules/rule-decisions.js';
import { ruleRoutes } from '../../src/contract/rules/rules.js';

export default class RulesDecisions extends ListCommand {
  static override summary = ruleDecisionRoutes.list.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> --rule "Watch your language" --outcome matched',
    '<%= config.bin %> <%= command.id %> --user bob --since yesterday',
  ];
  static override flags = {
    ...flagsFor(ruleDecisionRoutes.list.query, ['ruleId']),
    ...listFlags,
    rule: nameFlag('rule', 'Only decisions of this rule, by name or id'),
  };

  async run(): Promise<void> {
    const { flags } = await this.input(RulesDecisions);
    const { rule, ...typed } = flags;
    const params = { projectId: await this.projectId() };
    const query = { ...requestFrom(ruleDecisionRoutes.list.query, typed), ...stated({ ruleId: rule }) };
    const rules = this.common.json === true ? [] : await this.client.call(ruleRoutes.list, { params });
    const names = new Map(rules.map(({ id, name }) => [id, name]));
    await this.showPages(flags, {
      fetch: (page) => this.client.call(ruleDecisionRoutes.list, { params, query: { ...query, ...page } }),
      items: (answer) => answer.decisions,
      rows: async (decisions) => decisions.map(row(names)),
      columns: [
        ...['decidedAt', 'externalUserId', 'rule', 'outcome', 'score', 'step', 'mode', 'version'],
        ...['sanctionIds', 'id'],
      ],
    });
  }
}

const row = (names: ReadonlyMap<string, string>) => (decision: RuleDecision) => ({
  ...decision,
  rule: names.get(decision.ruleId) ?? decision.ruleId,
  step: decision.verdict?.step ?? null,
  score: decision.verdict?.score ?? null,
});
