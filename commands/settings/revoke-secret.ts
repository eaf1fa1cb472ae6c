import { ProjectCommand } from '../../src/cli/command.js';
import { settingsRoutes } from '../../src/contract/projects/settings.js';

export default class SettingsRevokeSecret extends ProjectCommand {
  static override summary = settingsRoutes.revokeSecret.summary;
  static override examples = ['<%= config.bin %> <%= command.id %>'];

  async run(): Promise<void> {
    await this.input(SettingsRevokeSecret);
    this.show(await this.client.call(settingsRoutes.revokeSecret, { params: { projectId: await this.projectId() } }));
  }
}
