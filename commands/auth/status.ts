import { EarshotCommand } from '../../src/cli/command/command.js';
import { isClosed } from '../../src/cli/command/refusals.js';
import { providerOf } from '../../src/cli/sign-in/provider.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { apiKeyRoutes } from '../../src/contract/identity/api-keys.js';

export default class AuthStatus extends EarshotCommand {
  static override summary = 'Show who is logged in, and whether the identity provider can be used.';
  static override description =
    'The exit code is 1 when nobody is logged in, the login has ended, or the provider cannot be used.';
  static override examples = ['<%= config.bin %> <%= command.id %>'];

  async run(): Promise<void> {
    await this.input(AuthStatus);
    const [account, provider] = [await this.account(), await providerOf(this.client)];
    this.show({
      daemon: this.client.baseUrl,
      account,
      provider: provider?.issuer ?? null,
      browser: provider === null ? null : provider.authorizationEndpoint !== null,
      device: provider?.hasDeviceFlow ?? null,
      problem: provider?.problem ?? null,
    });
    if (account === null) this.logToStderr('Nobody is logged in. Type `earshot login`.');
    if (account === null || (provider?.problem ?? null) !== null) this.checkFailed();
  }

  /** The e-mail address, or the name of the API key; null: no credential that holds. */
  private async account(): Promise<string | null> {
    const { credential } = this.client;
    if (credential === undefined) return null;
    const asked =
      credential.kind === 'apiKey'
        ? this.client.call(apiKeyRoutes.own, {}).then(({ name }) => `API key ${name}`)
        : this.client.call(accountRoutes.me, {}).then(({ email }) => email);
    return asked.catch((error: unknown) => {
      if (isClosed(error)) return null;
      throw error;
    });
  }
}
