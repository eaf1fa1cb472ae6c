import * as Flags from '@oclif/core/flags';
import { EarshotCommand } from '../src/cli/command/command.js';
import { saveLogin } from '../src/cli/command/profile.js';
import { accountRoutes } from '../src/contract/identity/accounts.js';
import { askNewPassword, askPassword, readStdin } from '../src/terminal/questions.js';

export default class Password extends EarshotCommand {
  static override summary = accountRoutes.changePassword.summary;
  static override examples = [
    '<%= config.bin %> password',
    'printf \'%s\\n\' "$OLD" "$NEW" | <%= config.bin %> password --stdin',
  ];
  static override flags = {
    stdin: Flags.boolean({ description: 'Read the current and the new password from standard input, one per line' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.input(Password);
    const [currentPassword = '', newPassword = ''] = flags.stdin
      ? (await readStdin()).split(/\r?\n/)
      : [await askPassword('Current password', '--stdin'), await askNewPassword('New password', '--stdin')];
    const body = { currentPassword, newPassword };
    const { accessToken } = await this.client.call(accountRoutes.changePassword, { body });
    saveLogin(this.profileName, this.baseUrl, accessToken, this.bearerToken);
    this.logToStderr('The password is changed; every other login of the account has ended.');
  }
}
