import * as Flags from '@oclif/core/flags';
import { ProjectCommand } from '../../src/cli/command/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { daemonNow } from '../../src/cli/typed/daemon-clock.js';
import { parseTime } from '../../src/cli/typed/times.js';
import { reporterRoutes } from '../../src/contract/reports/reporters.js';
import { UsageError } from '../../src/terminal/usage-error.js';

const ways = ['confirm', 'decline', 'lift', 'suspend-until'] as const;
const others = (own: (typeof ways)[number]) => ({ exclusive: ways.filter((way) => way !== own) });

export default class ReportsReporter extends ProjectCommand {
  static override summary = "Show how reliable a person's reports are; suspend them, or lift that.";
  static override examples = [
    '<%= config.bin %> <%= command.id %> u_7',
    '<%= config.bin %> <%= command.id %> u_7 --confirm',
    '<%= config.bin %> <%= command.id %> u_7 --lift --appeals',
  ];
  static override args = { user: nameArgument('player') };
  static override flags = {
    confirm: Flags.boolean({ description: 'Suspend the person, as proposed', ...others('confirm') }),
    decline: Flags.boolean({ description: 'Do not suspend the person', ...others('decline') }),
    lift: Flags.boolean({ description: 'Let the person report again', ...others('lift') }),
    'suspend-until': Flags.string({
      description: 'Refuse reports of the person until this time',
      ...others('suspend-until'),
    }),
    appeals: Flags.boolean({ description: 'Their appeals, instead of their reports' }),
    'decided-by': Flags.option({ options: ['person'] as const })({
      description: 'With an API key: somebody decided it in a tool of yours',
    }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.input(ReportsReporter);
    const params = { projectId: await this.projectId(), externalUserId: args.user };
    const chosen = flags['suspend-until'];
    if (chosen === undefined && !flags.confirm && !flags.decline && !flags.lift)
      return this.show(await this.client.call(reporterRoutes.get, { params }));
    const until = flags.confirm
      ? await this.proposed(params, flags.appeals)
      : chosen === undefined
        ? null
        : parseTime(chosen, daemonNow(), 'future');
    const body = {
      ...(flags.appeals ? { appealsSuspendedUntil: until } : { suspendedUntil: until }),
      ...(flags['decided-by'] === undefined ? {} : { decidedBy: flags['decided-by'] }),
    };
    this.show(await this.client.call(reporterRoutes.update, { params, body }));
  }

  private async proposed(params: { projectId: string; externalUserId: string }, ofAppeals: boolean): Promise<string> {
    const known = await this.client.call(reporterRoutes.get, { params });
    const until = ofAppeals ? known.appealsProposedUntil : known.proposedUntil;
    if (until === null)
      throw new UsageError('Nothing is proposed about this person. `earshot reports reporters` lists of whom it is.');
    return until;
  }
}
