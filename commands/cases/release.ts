import { CaseCommand, caseArgument } from '../../src/cli/moderation/cases/act-on-case.js';
import { caseRoutes } from '../../src/contract/reports/cases.js';

export default class CasesRelease extends CaseCommand {
  static override summary = caseRoutes.release.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> CASE'];
  static override args = { case: caseArgument() };

  async run(): Promise<void> {
    const { args } = await this.input(CasesRelease);
    const params = { projectId: await this.projectId(), id: args.case };
    await this.showCase(await this.client.call(caseRoutes.release, { params }));
  }
}
