import * as Flags from '@oclif/core/flags';
import { CaseCommand, caseArgument } from '../../src/cli/moderation/cases/act-on-case.js';
import { caseRoutes } from '../../src/contract/reports/cases.js';

export default class CasesHold extends CaseCommand {
  static override summary = caseRoutes.hold.summary;
  static override description = caseRoutes.hold.description;
  static override examples = ['<%= config.bin %> <%= command.id %> CASE --reason "LG Bonn, 3 O 12/26"'];
  static override args = { case: caseArgument() };
  static override flags = {
    reason: Flags.string({ required: true, description: 'Why, such as a court and its file number' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.input(CasesHold);
    const params = { projectId: await this.projectId(), id: args.case };
    await this.showCase(await this.client.call(caseRoutes.hold, { params, body: { reason: flags.reason } }));
  }
}
