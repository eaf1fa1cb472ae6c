import { ProjectCommand } from '../../src/cli/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { pluginInstanceRoutes } from '../../src/contract/plugins/plugins.js';

export default class InstancesDisable extends ProjectCommand {
  static override summary = 'Stop running an installed plugin; events of that time are never read.';
  static override examples = ['<%= config.bin %> <%= command.id %> INSTANCE'];
  static override args = { instance: nameArgument('instance') };

  async run(): Promise<void> {
    const { args } = await this.input(InstancesDisable);
    const params = { projectId: await this.projectId(), id: args.instance };
    this.show(await this.client.call(pluginInstanceRoutes.update, { params, body: { enabled: false } }));
  }
}
