import * as Args from '@oclif/core/args';
import { EarshotCommand } from '../../src/cli/command/command.js';
import { pluginRoutes } from '../../src/contract/plugins/plugins.js';

export default class PluginsGet extends EarshotCommand {
  static override summary = pluginRoutes.get.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> summary'];
  static override args = { slug: Args.string({ required: true, description: 'Plugin' }) };

  async run(): Promise<void> {
    const { args } = await this.input(PluginsGet);
    this.show(await this.client.call(pluginRoutes.get, { params: args }));
  }
}
