import { EarshotCommand } from '../src/cli/command.js';
import { accountRoutes } from '../src/contract/identity/accounts.js';

export default class Whoami extends EarshotCommand {
  static override summary = accountRoutes.me.summary;
  static override examples = ['<%= config.bin %> whoami'];

  async run(): Promise<void> {
    await this.input(Whoami);
    this.show(await this.client.call(accountRoutes.me, {}), ['email', 'displayName', 'role', 'tenantId', 'id']);
  }
}
