import { ProjectCommand } from '../../src/cli/command/command.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { RotateProjectSecretRequest, settingsRoutes } from '../../src/contract/projects/settings.js';

export default class SettingsRotateSecret extends ProjectCommand {
  static override summary = settingsRoutes.rotateSecret.summary;
  static override description = '`settings secret` shows the new one.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --overlap-seconds 0',
  ];
  static override flags = flagsFor(RotateProjectSecretRequest);

  async run(): Promise<void> {
    const { flags } = await this.input(SettingsRotateSecret);
    const params = { projectId: await this.projectId() };
    const body = requestFrom(RotateProjectSecretRequest, flags);
    this.show(await this.client.call(settingsRoutes.rotateSecret, { params, body }));
  }
}
