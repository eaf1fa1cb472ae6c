import { EarshotCommand } from '../src/cli/command.js';
import { forgetNames } from '../src/cli/completion/name-cache.js';
import { forgetLogin } from '../src/cli/profile.js';
import { accountRoutes } from '../src/contract/identity/accounts.js';

export default class Logout extends EarshotCommand {
  static override summary = accountRoutes.logout.summary;
  static override examples = ['<%= config.bin %> logout'];

  async run(): Promise<void> {
    await this.input(Logout);
    await this.client.call(accountRoutes.logout, {});
    forgetLogin(this.profileName);
    forgetNames();
    this.logToStderr('Logged out.');
  }
}
