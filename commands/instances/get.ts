import { ProjectCommand } from '../../src/cli/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { pluginInstanceRoutes } from '../../src/contract/plugins/plugins.js';

export default class InstancesGet extends ProjectCommand {
  static override summary = pluginInstanceRoutes.get.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> INSTANCE'];
  static override args = { instance: nameArgument('instance') };

  async run(): Promise<void> {
    const { args } = await this.input(InstancesGet);
    const params = { projectId: await this.projectId(), id: args.instance };
    const { plugin, ...instance } = await this.client.call(pluginInstanceRoutes.get, { params });
    if (this.common.json === true) this.show({ ...instance, plugin });
    else this.show({ ...instance, version: plugin?.version ?? 'uninstalled by the operator' });
  }
}
