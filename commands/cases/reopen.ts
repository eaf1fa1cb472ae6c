import { CaseCommand, caseArgument, noteFlag } from '../../src/cli/moderation/cases/act-on-case.js';
import { stated } from '../../src/cli/typed/fields.js';
import { caseRoutes } from '../../src/contract/reports/cases.js';

export default class CasesReopen extends CaseCommand {
  static override summary = caseRoutes.reopen.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> CASE --note "the wrong person"'];
  static override args = { case: caseArgument() };
  static override flags = { note: noteFlag };

  async run(): Promise<void> {
    const { args, flags } = await this.input(CasesReopen);
    const params = { projectId: await this.projectId(), id: args.case };
    await this.showCase(await this.client.call(caseRoutes.reopen, { params, body: stated({ note: flags.note }) }));
  }
}
