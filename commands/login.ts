import { Flags } from '@oclif/core';
import { EarshotCommand } from '../src/cli/command.js';
import { saveProfile } from '../src/cli/profile.js';
import { ask, askPassword, readStdin } from '../src/cli/secrets.js';
import { accountRoutes } from '../src/contract/accounts.js';

export default class Login extends EarshotCommand {
  static override summary = accountRoutes.loginCredentials.summary;
  static override examples = [
    '<%= config.bin %> login',
    'echo "$PASSWORD" | <%= config.bin %> login --email admin@localhost --password-stdin',
  ];
  static override flags = {
    email: Flags.string({ description: 'E-mail address; left out: asked' }),
    'password-stdin': Flags.boolean({ description: 'Read the password from standard input' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.input();
    const email = typeof flags.email === 'string' ? flags.email : await ask('E-mail', '--email');
    const password =
      flags['password-stdin'] === true ? await readStdin() : await askPassword('Password', '--password-stdin');
    const { accessToken, user } = await this.client.call(accountRoutes.loginCredentials, { body: { email, password } });
    saveProfile(this.profileName, { url: this.baseUrl, token: accessToken });
    if (this.common.json === true) this.show(user);
    else this.logToStderr(`Logged in to ${this.baseUrl} as ${user.email}.`);
  }
}
