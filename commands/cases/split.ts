import { CaseCommand, caseArgument } from '../../src/cli/moderation/cases/act-on-case.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { caseRoutes, SplitCaseRequest } from '../../src/contract/reports/cases.js';

export default class CasesSplit extends CaseCommand {
  static override summary = caseRoutes.split.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> CASE --report-ids REPORT,OTHER'];
  static override args = { case: caseArgument() };
  static override flags = flagsFor(SplitCaseRequest);

  async run(): Promise<void> {
    const { args, flags } = await this.input(CasesSplit);
    const params = { projectId: await this.projectId(), id: args.case };
    const body = requestFrom(SplitCaseRequest, flags);
    await this.showCase(await this.client.call(caseRoutes.split, { params, body }));
  }
}
