import * as Flags from '@oclif/core/flags';
import { CaseCommand, caseArgument, noteFlag } from '../../src/cli/moderation/cases/act-on-case.js';
import { stated } from '../../src/cli/typed/fields.js';
import { banTypes } from '../../src/contract/moderation/sanction-kinds.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { type Case, caseRoutes } from '../../src/contract/reports/cases.js';
import { shellWord } from '../../src/text/shell-word.js';

export default class CasesConfirm extends CaseCommand {
  static override summary = caseRoutes.confirm.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> CASE',
    '<%= config.bin %> <%= command.id %> CASE --turn-down --note "a week is enough"',
  ];
  static override args = { case: caseArgument() };
  static override flags = {
    'turn-down': Flags.boolean({
      description:
        'Impose nothing, and end a ban that holds meanwhile; the case is open again. Withdraws a proposal of your own',
    }),
    note: noteFlag,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.input(CasesConfirm);
    const params = { projectId: await this.projectId(), id: args.case };
    const body = { agree: !flags['turn-down'], ...stated({ note: flags.note }) };
    const answered = await this.client.call(caseRoutes.confirm, { params, body });
    await this.showCase(answered);
    if (flags['turn-down'] && this.common.json !== true) await this.nameOtherBans(answered);
  }

  /** A ban that somebody imposed besides, by a link or by itself, does not end with the proposal. */
  private async nameOtherBans({ projectId, externalUserId }: Case): Promise<void> {
    if (externalUserId === null) return;
    const inForce = await this.client.call(sanctionRoutes.activeOfUser, { params: { projectId, externalUserId } });
    for (const { type, endAt } of inForce.filter((one) => banTypes.includes(one.type)))
      this.logToStderr(
        `A ${type} stays in force ${endAt === null ? 'until it is revoked' : `until ${endAt}`}. To end it: earshot unban ${shellWord(externalUserId)}`,
      );
  }
}
