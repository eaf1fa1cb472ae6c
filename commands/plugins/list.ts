import { EarshotCommand } from '../../src/cli/command/command.js';
import { pluginRoutes } from '../../src/contract/plugins/plugins.js';

export default class PluginsList extends EarshotCommand {
  static override summary = pluginRoutes.list.summary;
  static override examples = ['<%= config.bin %> <%= command.id %>'];

  async run(): Promise<void> {
    await this.input(PluginsList);
    const answer = await this.client.call(pluginRoutes.list, {});
    this.list(answer, answer, ['slug', 'name', 'version', 'kind', 'events']);
  }
}
