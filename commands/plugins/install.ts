import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { ProjectCommand } from '../../src/cli/command/command.js';
import { settingsFlags, settingsFrom } from '../../src/cli/projects/plugin-settings.js';
import { pluginInstanceRoutes } from '../../src/contract/plugins/plugins.js';

export default class PluginsInstall extends ProjectCommand {
  static override hiddenAliases = ['instances:create'];
  static override summary = pluginInstanceRoutes.create.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> sentiment --set minimum=0.3',
    '<%= config.bin %> <%= command.id %> moderation-api --settings - < settings.json',
  ];
  static override args = { plugin: Args.string({ required: true, description: 'Plugin, by its slug' }) };
  static override flags = {
    ...settingsFlags,
    disabled: Flags.boolean({ description: 'Install it without running it yet' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.input(PluginsInstall);
    const settings = await settingsFrom(flags);
    const answer = await this.client.call(pluginInstanceRoutes.create, {
      params: { projectId: await this.projectId() },
      body: {
        pluginId: args.plugin,
        enabled: flags.disabled !== true,
        ...(settings === undefined ? {} : { settings }),
      },
    });
    this.show(answer);
  }
}
