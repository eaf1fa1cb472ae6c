import { ProjectCommand } from '../../src/cli/command/command.js';
import { providerFlags, providerSettings } from '../../src/cli/projects/provider-settings.js';
import { onScreen } from '../../src/cli/projects/settings-view.js';
import { thresholdWarnings } from '../../src/cli/projects/threshold-warnings.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { settingsRoutes, UpsertAppSettingsRequest } from '../../src/contract/projects/settings.js';

export default class SettingsSet extends ProjectCommand {
  static override summary = settingsRoutes.put.summary;
  static override description = 'Secrets of the provider are asked for, or read from standard input.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --token-provider embedded',
    '<%= config.bin %> <%= command.id %> --token-provider livekit --provider-url wss://voice.example --secrets-stdin < livekit.json',
  ];
  static override flags = { ...flagsFor(UpsertAppSettingsRequest, ['tokenProviderSettings']), ...providerFlags };

  async run(): Promise<void> {
    const { flags } = await this.input(SettingsSet);
    const tokenProviderSettings = await providerSettings(flags);
    const body = requestFrom(UpsertAppSettingsRequest, flags, { tokenProviderSettings });
    const projectId = await this.projectId();
    const answer = await this.client.call(settingsRoutes.put, { params: { projectId }, body });
    this.show(this.common.json === true ? answer : onScreen(answer));
    for (const warning of await thresholdWarnings(this.client, projectId, body)) this.logToStderr(warning);
  }
}
