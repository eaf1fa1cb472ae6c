import type { Interfaces } from '@oclif/core';
import * as Flags from '@oclif/core/flags';
import { EarshotCommand } from '../src/cli/command.js';
import { saveLogin } from '../src/cli/profile.js';
import { ask, askPassword, readStdin } from '../src/cli/terminal/secrets.js';
import { accountRoutes, type LoginResponse } from '../src/contract/identity/accounts.js';

export default class Login extends EarshotCommand {
  static override summary = accountRoutes.loginCredentials.summary;
  static override examples = [
    '<%= config.bin %> login',
    'echo "$PASSWORD" | <%= config.bin %> login --email admin@localhost --password-stdin',
    'echo "$ACCESS_TOKEN" | <%= config.bin %> login --session-stdin',
    '<%= config.bin %> login --renew',
  ];
  static override flags = {
    email: Flags.string({ description: 'E-mail address; left out: asked' }),
    'password-stdin': Flags.boolean({ description: 'Read the password from standard input' }),
    'session-stdin': Flags.boolean({
      description: "Read the identity provider's session or access token from standard input",
      exclusive: ['email', 'password-stdin'],
    }),
    renew: Flags.boolean({
      description: 'Exchange the login that is in use for a fresh one',
      exclusive: ['email', 'password-stdin', 'session-stdin'],
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

  private async loggedIn(flags: Omit<Interfaces.InferredFlags<typeof Login.flags>, 'json'>): Promise<LoginResponse> {
    if (flags.renew) return this.client.call(accountRoutes.refresh, {});
    if (flags['session-stdin'])
      return this.client.call(accountRoutes.login, { body: { sessionId: await readStdin() } });
    const email = flags.email ?? (await ask('E-mail', '--email'));
    const password = flags['password-stdin'] ? await readStdin() : await askPassword('Password', '--password-stdin');
    return this.client.call(accountRoutes.loginCredentials, { body: { email, password } });
  }
}
