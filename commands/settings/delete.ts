import { ProjectCommand } from '../../src/cli/command.js';
import { settingsRoutes } from '../../src/contract/projects/settings.js';

export default class SettingsDelete extends ProjectCommand {
  static override summary = settingsRoutes.remove.summary;
  static override examples = ['<%= config.bin %> <%= command.id %>'];

  async run(): Promise<void> {
    await this.input(SettingsDelete);
    this.show(await this.client.call(settingsRoutes.remove, { params: { projectId: await this.projectId() } }));
  }
}
