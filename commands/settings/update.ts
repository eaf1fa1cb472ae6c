import { ProjectCommand } from '../../src/cli/command/command.js';
import { providerFlags, providerSettings } from '../../src/cli/projects/provider-settings.js';
import { onScreen } from '../../src/cli/projects/settings-view.js';
import { thresholdWarnings } from '../../src/cli/projects/threshold-warnings.js';
import { cleared, clearFlag } from '../../src/cli/typed/clear.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { settingsRoutes, UpdateAppSettingsRequest } from '../../src/contract/projects/settings.js';

export default class SettingsUpdate extends ProjectCommand {
  static override summary = settingsRoutes.update.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> --bot-user-id listener',
    '<%= config.bin %> <%= command.id %> --clear transcriptRetentionDays',
    '<%= config.bin %> <%= command.id %> --secrets-stdin < rotated.json',
  ];
  static override flags = {
    ...flagsFor(UpdateAppSettingsRequest, ['tokenProviderSettings']),
    ...providerFlags,
    ...clearFlag(UpdateAppSettingsRequest),
  };

  async run(): Promise<void> {
    const { flags } = await this.input(SettingsUpdate);
    const tokenProviderSettings = await providerSettings(flags);
    const body = requestFrom(UpdateAppSettingsRequest, flags, { tokenProviderSettings, ...cleared(flags) });
    const projectId = await this.projectId();
    const answer = await this.client.call(settingsRoutes.update, { params: { projectId }, body });
    this.show(this.common.json === true ? answer : onScreen(answer));
    for (const warning of await thresholdWarnings(this.client, projectId, body)) this.logToStderr(warning);
  }
}
