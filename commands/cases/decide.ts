import { CaseCommand, caseArgument } from '../../src/cli/moderation/cases/act-on-case.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { caseRoutes, DecideCaseRequest } from '../../src/contract/reports/cases.js';

export default class CasesDecide extends CaseCommand {
  static override summary = caseRoutes.decide.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> CASE --decision no_action --reason-code no_violation',
    `<%= config.bin %> <%= command.id %> CASE --decision sanction --reason-code violation --sanction '{"type":"temp_ban","duration":86400,"template":"threats"}'`,
  ];
  static override args = { case: caseArgument() };
  static override flags = flagsFor(DecideCaseRequest);

  async run(): Promise<void> {
    const { args, flags } = await this.input(CasesDecide);
    const params = { projectId: await this.projectId(), id: args.case };
    const body = requestFrom(DecideCaseRequest, flags);
    await this.showCase(await this.client.call(caseRoutes.decide, { params, body }));
  }
}
