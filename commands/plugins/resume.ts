import { ProjectCommand } from '../../src/cli/command/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { pluginInstanceRoutes } from '../../src/contract/plugins/plugins.js';

export default class PluginsResume extends ProjectCommand {
  static override hiddenAliases = ['instances:resume'];
  static override summary = pluginInstanceRoutes.resume.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> toxicity'];
  static override args = { plugin: nameArgument('instance') };

  async run(): Promise<void> {
    const { args } = await this.input(PluginsResume);
    const params = { projectId: await this.projectId(), id: args.plugin };
    this.show(await this.client.call(pluginInstanceRoutes.resume, { params }));
  }
}
