import { EarshotCommand } from '../../src/cli/command/command.js';
import { profiles } from '../../src/cli/command/profile.js';

export default class ProfilesList extends EarshotCommand {
  static override summary = 'List the profiles: the daemon of each, and whether it is logged in.';
  static override examples = ['<%= config.bin %> <%= command.id %>'];

  async run(): Promise<void> {
    await this.input(ProfilesList);
    const rows = profiles().map(({ name, url, projectId, projectName, token }) => ({
      name,
      url,
      project: projectName ?? projectId ?? null,
      projectId: projectId ?? null,
      loggedIn: token !== undefined,
      current: name === this.profileName,
    }));
    this.list(rows, rows, ['name', 'url', 'project', 'loggedIn', 'current']);
  }
}
