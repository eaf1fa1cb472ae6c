import { CaseCommand, caseArgument } from '../../src/cli/moderation/cases/act-on-case.js';
import { caseRoutes } from '../../src/contract/reports/cases.js';

export default class CasesLiftHold extends CaseCommand {
  static override summary = caseRoutes.liftHold.summary;
  static override description = caseRoutes.liftHold.description;
  static override examples = ['<%= config.bin %> <%= command.id %> CASE'];
  static override args = { case: caseArgument() };

  async run(): Promise<void> {
    const { args } = await this.input(CasesLiftHold);
    const params = { projectId: await this.projectId(), id: args.case };
    await this.showCase(await this.client.call(caseRoutes.liftHold, { params }));
  }
}
