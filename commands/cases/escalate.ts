import { CaseCommand, caseArgument } from '../../src/cli/moderation/cases/act-on-case.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { caseRoutes, EscalateCaseRequest } from '../../src/contract/reports/cases.js';

export default class CasesEscalate extends CaseCommand {
  static override summary = caseRoutes.escalate.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> CASE --role admin --note "a streamer"'];
  static override args = { case: caseArgument() };
  static override flags = flagsFor(EscalateCaseRequest);

  async run(): Promise<void> {
    const { args, flags } = await this.input(CasesEscalate);
    const params = { projectId: await this.projectId(), id: args.case };
    const body = requestFrom(EscalateCaseRequest, flags);
    await this.showCase(await this.client.call(caseRoutes.escalate, { params, body }));
  }
}
