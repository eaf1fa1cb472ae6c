import { ProjectCommand } from '../../src/cli/command.js';
import { flagsFor, requestFrom } from '../../src/cli/fields.js';
import { settingsRoutes, UpsertAppSettingsRequest } from '../../src/contract/settings.js';

export default class SettingsSet extends ProjectCommand {
  static override summary = settingsRoutes.put.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> --token-provider embedded'];
  static override flags = flagsFor(UpsertAppSettingsRequest);

  async run(): Promise<void> {
    const { flags } = await this.input();
    const answer = await this.client.call(settingsRoutes.put, {
      params: { projectId: await this.projectId() },
      body: requestFrom(UpsertAppSettingsRequest, flags),
    });
    this.show(answer);
  }
}
