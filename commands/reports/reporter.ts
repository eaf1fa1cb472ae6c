import * as Flags from '@oclif/core/flags';
import { ProjectCommand } from '../../src/cli/command/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { daemonNow } from '../../src/cli/typed/daemon-clock.js';
import { parseTime } from '../../src/cli/typed/times.js';
import { reporterRoutes } from '../../src/contract/reports/reporters.js';

export default class ReportsReporter extends ProjectCommand {
  static override summary = 'Show how reliable the reports of a person are; suspend them, or lift that.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> u_7',
    '<%= config.bin %> <%= command.id %> u_7 --lift',
  ];
  static override args = { user: nameArgument('player') };
  static override flags = {
    lift: Flags.boolean({ description: 'Let the person report again', exclusive: ['suspend-until'] }),
    'suspend-until': Flags.string({ description: 'Refuse reports of the person until this time' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.input(ReportsReporter);
    const params = { projectId: await this.projectId(), externalUserId: args.user };
    const until = flags['suspend-until'];
    if (until === undefined && !flags.lift) return this.show(await this.client.call(reporterRoutes.get, { params }));
    const suspendedUntil = until === undefined ? null : parseTime(until, daemonNow(), 'future');
    this.show(await this.client.call(reporterRoutes.update, { params, body: { suspendedUntil } }));
  }
}
