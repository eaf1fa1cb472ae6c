import * as Args from '@oclif/core/args';
import { ProjectCommand } from '../../src/cli/command/command.js';
import { settingsRoutes } from '../../src/contract/projects/settings.js';

export default class SettingsDebugAudio extends ProjectCommand {
  static override summary = settingsRoutes.debugAudio.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> on'];
  static override args = {
    state: Args.string({ required: true, options: ['on', 'off'], description: 'Whether audio is kept for 24 hours' }),
  };

  async run(): Promise<void> {
    const { args } = await this.input(SettingsDebugAudio);
    const answer = await this.client.call(settingsRoutes.debugAudio, {
      params: { projectId: await this.projectId() },
      body: { enabled: args.state === 'on' },
    });
    this.show(answer, ['debugAudioEnabled', 'updatedAt']);
  }
}
