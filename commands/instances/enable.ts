import { ProjectCommand } from '../../src/cli/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { pluginInstanceRoutes } from '../../src/contract/plugins/plugins.js';

export default class InstancesEnable extends ProjectCommand {
  static override summary = 'Run an installed plugin on the events from now on.';
  static override examples = ['<%= config.bin %> <%= command.id %> INSTANCE'];
  static override args = { instance: nameArgument('instance') };

  async run(): Promise<void> {
    const { args } = await this.input(InstancesEnable);
    const params = { projectId: await this.projectId(), id: args.instance };
    this.show(await this.client.call(pluginInstanceRoutes.update, { params, body: { enabled: true } }));
  }
}
