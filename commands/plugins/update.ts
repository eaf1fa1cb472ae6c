import { ProjectCommand } from '../../src/cli/command/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { settingsFlags, settingsFrom } from '../../src/cli/projects/plugin-settings.js';
import { pluginInstanceRoutes } from '../../src/contract/plugins/plugins.js';
import { UsageError } from '../../src/terminal/usage-error.js';

export default class PluginsUpdate extends ProjectCommand {
  static override hiddenAliases = ['instances:update'];
  static override summary = 'Change settings of an installed plugin; they apply from the next event.';
  static override description =
    'With --set, settings that are not named stay as they are; --settings replaces all of them.';
  static override examples = ['<%= config.bin %> <%= command.id %> toxicity --set minimum=0.5'];
  static override args = { plugin: nameArgument('instance') };
  static override flags = settingsFlags;

  async run(): Promise<void> {
    const { args, flags } = await this.input(PluginsUpdate);
    const changed = await settingsFrom(flags);
    if (changed === undefined) throw new UsageError('Say what to change, with --set or --settings.');
    const params = { projectId: await this.projectId(), id: args.plugin };
    const stays = flags.settings === undefined;
    const before = stays ? (await this.client.call(pluginInstanceRoutes.get, { params })).settings : {};
    const body = { settings: { ...before, ...changed } };
    this.show(await this.client.call(pluginInstanceRoutes.update, { params, body }));
  }
}
