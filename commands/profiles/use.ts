import * as Args from '@oclif/core/args';
import { EarshotCommand } from '../../src/cli/command/command.js';
import { chooseProfile, loadProfile, noProfile, profileStored } from '../../src/cli/command/profile.js';

export default class ProfilesUse extends EarshotCommand {
  static override summary = 'Use a profile from now on, unless --profile or EARSHOT_PROFILE names another.';
  static override examples = ['<%= config.bin %> <%= command.id %> staging'];
  static override args = { name: Args.string({ required: true, description: 'Profile' }) };

  async run(): Promise<void> {
    const { args } = await this.input(ProfilesUse);
    const name = args.name;
    const profile = loadProfile(name);
    if (profile === null) throw noProfile(name);
    chooseProfile(name);
    this.logToStderr(profileStored(name, profile));
  }
}
