import { setTimeout as sleep } from 'node:timers/promises';
import * as Flags from '@oclif/core/flags';
import { EarshotCommand } from '../../src/cli/command/command.js';
import { installationRoutes } from '../../src/contract/installation/installation.js';

const route = installationRoutes.backUp;
const everyMs = 500;

export default class InstallationBackup extends EarshotCommand {
  static override summary = route.summary;
  static override description = route.description;
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --wait'];
  static override flags = { wait: Flags.boolean({ description: 'Wait until it has ended; exit 1 if it failed' }) };

  async run(): Promise<void> {
    const { flags } = await this.input(InstallationBackup);
    let run = await this.client.call(route, {});
    while (flags.wait && run.state === 'running') {
      await sleep(everyMs);
      const { backups } = await this.client.call(installationRoutes.get, {});
      run = backups.latest ?? run;
    }
    this.show(run);
    if (run.state === 'failed') this.checkFailed();
  }
}
