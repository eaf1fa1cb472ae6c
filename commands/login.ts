import type { Interfaces } from '@oclif/core';
import * as Flags from '@oclif/core/flags';
import { EarshotCommand } from '../src/cli/command/command.js';
import { saveLogin } from '../src/cli/command/profile.js';
import { withMailedCode } from '../src/cli/sign-in/mailed-code.js';
import { providerOf } from '../src/cli/sign-in/provider.js';
import { accountRoutes, type IdentityProvider, type LoginResponse } from '../src/contract/identity/accounts.js';
import { interruption } from '../src/terminal/interruption.js';
import { ask, askPassword, canAsk, explain, readStdin } from '../src/terminal/questions.js';

type LoginFlags = Omit<Interfaces.InferredFlags<typeof Login.flags>, 'json'>;

export default class Login extends EarshotCommand {
  static override summary = 'Log in: at the identity provider in a browser, or with e-mail and password.';
  static override description =
    'Without flags, a browser opens where the daemon has an identity provider. Otherwise e-mail and password are asked for.';
  static override examples = [
    '<%= config.bin %> login',
    '<%= config.bin %> login --device',
    'echo "$PASSWORD" | <%= config.bin %> login --email admin@localhost --password-stdin',
    'echo "$ACCESS_TOKEN" | <%= config.bin %> login --session-stdin',
    '<%= config.bin %> login --renew',
  ];
  static override flags = {
    browser: Flags.boolean({
      description: 'Sign in at the identity provider, in a browser on this machine',
      exclusive: ['email', 'password-stdin', 'session-stdin', 'renew', 'code', 'device'],
    }),
    device: Flags.boolean({
      description: 'Sign in at the identity provider, in a browser on another device',
      exclusive: ['email', 'password-stdin', 'session-stdin', 'renew', 'code'],
    }),
    email: Flags.string({ description: 'E-mail address; default: prompt for it' }),
    code: Flags.string({ description: 'Code from the e-mail, when one was sent; default: prompt for it' }),
    'password-stdin': Flags.boolean({ description: 'Read the password from standard input' }),
    'session-stdin': Flags.boolean({
      description: "Read the identity provider's session or access token from standard input",
      exclusive: ['email', 'password-stdin', 'code'],
    }),
    renew: Flags.boolean({
      description: 'Exchange the current login for a fresh one',
      exclusive: ['email', 'password-stdin', 'session-stdin', 'code'],
    }),
  };

  protected override readonly signsIn = true;

  async run(): Promise<void> {
    const { flags } = await this.input(Login);
    const { accessToken, user } = await this.loggedIn(flags);
    saveLogin(this.profileName, this.baseUrl, accessToken, flags.renew ? this.bearerToken : undefined);
    if (this.common.json === true) this.show(user);
    else this.logToStderr(`Logged in to ${this.baseUrl} as ${user.email}.`);
  }

  private async loggedIn(flags: LoginFlags): Promise<LoginResponse> {
    if (flags.renew) return this.client.call(accountRoutes.refresh, {});
    if (flags['session-stdin'])
      return this.client.call(accountRoutes.login, { body: { sessionId: await readStdin() } });
    if (flags.device) {
      const { loginByDevice } = await import('../src/cli/sign-in/device-login.js');
      return loginByDevice(this.client, this.watched());
    }
    const provider = await this.providerFor(flags);
    if (provider !== null) {
      const { loginByBrowser } = await import('../src/cli/sign-in/browser-login.js');
      return loginByBrowser(this.client, provider, { ...this.watched(), daemonUrl: this.baseUrl });
    }
    return this.loggedInByPassword(flags);
  }

  private watched() {
    return { say: (line: string) => this.logToStderr(line), interrupted: interruption() };
  }

  /** The provider to sign in at by a browser; null: e-mail and password are meant, or all there is. */
  private async providerFor(flags: LoginFlags): Promise<IdentityProvider | null> {
    if (flags.browser) return this.client.call(accountRoutes.provider, {});
    if (flags.email !== undefined || flags['password-stdin'] || !canAsk()) return null;
    const provider = await providerOf(this.client);
    if (provider === null || provider.authorizationEndpoint !== null) return provider;
    explain(`The identity provider cannot be used now: ${provider.problem ?? ''}`);
    return null;
  }

  private async loggedInByPassword(flags: LoginFlags): Promise<LoginResponse> {
    const email = flags.email ?? (await ask('E-mail', '--email'));
    const password = flags['password-stdin'] ? await readStdin() : await askPassword('Password', '--password-stdin');
    return withMailedCode(
      flags.code,
      (code) => this.client.call(accountRoutes.loginCredentials, { body: { email, password, ...code } }),
      (line) => this.logToStderr(line),
    );
  }
}
