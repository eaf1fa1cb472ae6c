import { ProjectCommand } from '../../src/cli/command/command.js';
import { settingsRoutes } from '../../src/contract/projects/settings.js';

export default class SettingsSyncSecret extends ProjectCommand {
  static override summary = settingsRoutes.syncSecret.summary;
  static override examples = ['<%= config.bin %> <%= command.id %>'];

  async run(): Promise<void> {
    await this.input(SettingsSyncSecret);
    this.show(await this.client.call(settingsRoutes.syncSecret, { params: { projectId: await this.projectId() } }));
  }
}
