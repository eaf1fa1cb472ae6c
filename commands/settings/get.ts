import { ProjectCommand } from '../../src/cli/command/command.js';
import { onScreen } from '../../src/cli/projects/settings-view.js';
import { settingsRoutes } from '../../src/contract/projects/settings.js';

export default class SettingsGet extends ProjectCommand {
  static override summary = settingsRoutes.get.summary;
  static override examples = ['<%= config.bin %> <%= command.id %>'];

  async run(): Promise<void> {
    await this.input(SettingsGet);
    const answer = await this.client.call(settingsRoutes.get, { params: { projectId: await this.projectId() } });
    this.show(this.common.json === true ? answer : onScreen(answer));
  }
}
