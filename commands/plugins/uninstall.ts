import { ProjectCommand } from '../../src/cli/command/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { rulesOnPlugin } from '../../src/cli/rules/rules.js';
import { confirm, yesFlag } from '../../src/cli/terminal/confirm.js';
import { pluginInstanceRoutes } from '../../src/contract/plugins/plugins.js';

export default class PluginsUninstall extends ProjectCommand {
  static override hiddenAliases = ['instances:delete'];
  static override summary = pluginInstanceRoutes.remove.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> toxicity',
    '<%= config.bin %> <%= command.id %> toxicity --yes',
  ];
  static override args = { plugin: nameArgument('instance') };
  static override flags = yesFlag;

  async run(): Promise<void> {
    const { args, flags } = await this.input(PluginsUninstall);
    const params = { projectId: await this.projectId(), id: args.plugin };
    const { pluginId } = await this.client.call(pluginInstanceRoutes.get, { params });
    const rules = await rulesOnPlugin(this.client, params.projectId, pluginId);
    const silenced = rules.length === 0 ? '' : ` Rules that will no longer match: ${rules.join(', ')}.`;
    const says = `This uninstalls the plugin ${pluginId} with its settings; its annotations stay.${silenced}`;
    if (flags.yes && silenced !== '') this.logToStderr(silenced.trim());
    await confirm(pluginId, says, flags);
    this.show(await this.client.call(pluginInstanceRoutes.remove, { params }));
  }
}
