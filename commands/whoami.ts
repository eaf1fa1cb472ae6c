import { EarshotCommand } from '../src/cli/command/command.js';
import { accountRoutes } from '../src/contract/identity/accounts.js';
import { apiKeyRoutes } from '../src/contract/identity/api-keys.js';

export default class Whoami extends EarshotCommand {
  static override summary = 'Show the account that is logged in, or the API key that is in use.';
  static override examples = ['<%= config.bin %> whoami'];

  async run(): Promise<void> {
    await this.input(Whoami);
    if (this.client.credential?.kind === 'apiKey')
      return this.show(await this.client.call(apiKeyRoutes.own, {}), [
        ...['name', 'keyPrefix', 'scopes', 'projectId', 'expiresAt', 'id'],
      ]);
    this.show(await this.client.call(accountRoutes.me, {}), ['email', 'displayName', 'role', 'tenantId', 'id']);
  }
}
