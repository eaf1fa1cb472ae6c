import * as Args from '@oclif/core/args';
import { EarshotCommand } from '../../src/cli/command/command.js';
import { forgetProfile, loadProfile, noProfile } from '../../src/cli/command/profile.js';

export default class ProfilesDelete extends EarshotCommand {
  static override summary = 'Delete a profile with its login; `logout` first ends the login at the daemon.';
  static override examples = ['<%= config.bin %> <%= command.id %> staging'];
  static override args = { name: Args.string({ required: true, description: 'Profile' }) };

  async run(): Promise<void> {
    const { args } = await this.input(ProfilesDelete);
    const name = args.name;
    if (loadProfile(name) === null) throw noProfile(name);
    forgetProfile(name);
    this.logToStderr(`The profile ${name} is deleted.`);
  }
}
