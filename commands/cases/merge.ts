import { CaseCommand, caseArgument } from '../../src/cli/moderation/cases/act-on-case.js';
import { caseRoutes } from '../../src/contract/reports/cases.js';

export default class CasesMerge extends CaseCommand {
  static override summary = caseRoutes.merge.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> CASE OTHER'];
  static override args = {
    case: caseArgument(),
    into: caseArgument('Case that gets the reports and reviews, by id or person'),
  };

  async run(): Promise<void> {
    const { args } = await this.input(CasesMerge);
    const params = { projectId: await this.projectId(), id: args.case };
    await this.showCase(await this.client.call(caseRoutes.merge, { params, body: { intoId: args.into } }));
  }
}
