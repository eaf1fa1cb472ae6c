import { ProjectCommand } from '../../src/cli/command/command.js';
import { settingsRoutes } from '../../src/contract/projects/settings.js';

export default class SettingsSecret extends ProjectCommand {
  static override summary = settingsRoutes.secret.summary;
  static override examples = ['<%= config.bin %> <%= command.id %>'];

  async run(): Promise<void> {
    await this.input(SettingsSecret);
    this.show(await this.client.call(settingsRoutes.secret, { params: { projectId: await this.projectId() } }));
  }
}
