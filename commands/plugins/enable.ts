import { ProjectCommand } from '../../src/cli/command/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { pluginInstanceRoutes } from '../../src/contract/plugins/plugins.js';

export default class PluginsEnable extends ProjectCommand {
  static override hiddenAliases = ['instances:enable'];
  static override summary = 'Enable an installed plugin, for events from now on.';
  static override examples = ['<%= config.bin %> <%= command.id %> toxicity'];
  static override args = { plugin: nameArgument('instance') };

  async run(): Promise<void> {
    const { args } = await this.input(PluginsEnable);
    const params = { projectId: await this.projectId(), id: args.plugin };
    this.show(await this.client.call(pluginInstanceRoutes.update, { params, body: { enabled: true } }));
  }
}
