import * as Flags from '@oclif/core/flags';
import { CaseCommand, caseArgument, noteFlag } from '../../src/cli/moderation/cases/act-on-case.js';
import { stated } from '../../src/cli/typed/fields.js';
import { caseRoutes } from '../../src/contract/reports/cases.js';

export default class CasesConfirm extends CaseCommand {
  static override summary = caseRoutes.confirm.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> CASE',
    '<%= config.bin %> <%= command.id %> CASE --turn-down --note "a week is enough"',
  ];
  static override args = { case: caseArgument() };
  static override flags = {
    'turn-down': Flags.boolean({
      description: 'Impose nothing; the case is open again. Withdraws a proposal of your own',
    }),
    note: noteFlag,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.input(CasesConfirm);
    const params = { projectId: await this.projectId(), id: args.case };
    const body = { agree: !flags['turn-down'], ...stated({ note: flags.note }) };
    await this.showCase(await this.client.call(caseRoutes.confirm, { params, body }));
  }
}
