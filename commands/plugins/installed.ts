import { ProjectCommand } from '../../src/cli/command/command.js';
import { optionalNameArgument } from '../../src/cli/names/kinds.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { pluginInstanceRoutes } from '../../src/contract/plugins/plugins.js';

export default class PluginsInstalled extends ProjectCommand {
  static override hiddenAliases = ['instances:list', 'instances:get'];
  static override summary = 'List the plugins that the project has installed, or show one with its settings.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --no-enabled',
    '<%= config.bin %> <%= command.id %> toxicity',
  ];
  static override args = { plugin: optionalNameArgument('instance') };
  static override flags = flagsFor(pluginInstanceRoutes.list.query);

  async run(): Promise<void> {
    const { args, flags } = await this.input(PluginsInstalled);
    if (args.plugin !== undefined) return this.one(args.plugin);
    const query = requestFrom(pluginInstanceRoutes.list.query, flags);
    const params = { projectId: await this.projectId() };
    const answer = await this.client.call(pluginInstanceRoutes.list, { params, query });
    this.list(answer, answer, ['pluginId', 'enabled', 'settings', 'updatedAt', 'id']);
  }

  private async one(id: string): Promise<void> {
    const params = { projectId: await this.projectId(), id };
    const { plugin, ...instance } = await this.client.call(pluginInstanceRoutes.get, { params });
    if (this.common.json === true) this.show({ ...instance, plugin });
    else this.show({ ...instance, version: plugin?.version ?? 'uninstalled by the operator' });
  }
}
