import { Args } from '@oclif/core';
import { ProjectCommand } from '../../src/cli/command.js';
import { loadProfile, profileNameShape, saveProfile } from '../../src/cli/profile.js';
import { NotUnderstood } from '../../src/cli/times.js';

export default class ProfilesSet extends ProjectCommand {
  static override summary = 'Name the daemon and the project of a profile, and use it from now on.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> staging --url https://voice.staging.example',
    '<%= config.bin %> <%= command.id %> staging --project PROJECT',
  ];
  static override args = { name: Args.string({ required: true, description: 'Profile' }) };

  async run(): Promise<void> {
    const { args } = await this.input(ProfilesSet);
    const name = args.name;
    if (!profileNameShape.test(name)) throw new NotUnderstood('A profile is named with letters, digits, - and _.');
    const before = loadProfile(name);
    const url = this.common.url ?? before?.url ?? this.baseUrl;
    // A login belongs to the daemon that issued it.
    const kept = before?.url === url ? before : {};
    const { project } = this.common;
    saveProfile(name, { ...kept, url, ...(project === undefined ? {} : { projectId: project }) });
    this.logToStderr(`The profile ${name} talks to ${url} and is in use.`);
  }
}
