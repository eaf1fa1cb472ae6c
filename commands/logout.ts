import { EarshotCommand } from '../src/cli/command/command.js';
import { forgetLogin, loadProfile } from '../src/cli/command/profile.js';
import { forgetNames } from '../src/cli/completion/name-cache.js';
import { ApiError } from '../src/client/errors.js';
import { accountRoutes } from '../src/contract/identity/accounts.js';

export default class Logout extends EarshotCommand {
  static override summary = accountRoutes.logout.summary;
  static override examples = ['<%= config.bin %> logout'];

  async run(): Promise<void> {
    await this.input(Logout);
    try {
      await this.client.call(accountRoutes.logout, {});
    } catch (error) {
      // A login that holds no more is forgotten as well.
      const isOver = error instanceof ApiError && error.status === 401 && loadProfile(this.profileName) !== null;
      if (!isOver) throw error;
    }
    forgetLogin(this.profileName);
    forgetNames();
    this.logToStderr('Logged out.');
  }
}
