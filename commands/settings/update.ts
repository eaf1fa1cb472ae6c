import { ProjectCommand } from '../../src/cli/command.js';
import { flagsFor, requestFrom } from '../../src/cli/fields.js';
import { settingsRoutes, UpdateAppSettingsRequest } from '../../src/contract/settings.js';

export default class SettingsUpdate extends ProjectCommand {
  static override summary = settingsRoutes.update.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> --bot-user-id listener'];
  static override flags = flagsFor(UpdateAppSettingsRequest);

  async run(): Promise<void> {
    const { flags } = await this.input();
    const answer = await this.client.call(settingsRoutes.update, {
      params: { projectId: await this.projectId() },
      body: requestFrom(UpdateAppSettingsRequest, flags),
    });
    this.show(answer);
  }
}
