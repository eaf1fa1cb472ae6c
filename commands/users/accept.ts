import { Args, Flags } from '@oclif/core';
import { EarshotCommand } from '../../src/cli/command.js';
import { saveProfile } from '../../src/cli/profile.js';
import { askPassword, readStdin } from '../../src/cli/secrets.js';
import { ApiClient } from '../../src/client/api-client.js';
import { accountRoutes } from '../../src/contract/accounts.js';

/** What the link carries behind #token=, or the bare token. */
const tokenOf = (link: string): string => /#token=([\w-]+)/.exec(link)?.[1] ?? link;
/** The link says which daemon it is of. */
const addressOf = (link: string): string | null => (URL.canParse(link) ? new URL(link).origin : null);

export default class UsersAccept extends EarshotCommand {
  static override summary = accountRoutes.acceptInvitation.summary;
  static override examples = [
    "<%= config.bin %> <%= command.id %> 'https://voice.example.com/invitation#token=…'",
    'echo "$PASSWORD" | <%= config.bin %> <%= command.id %> LINK --password-stdin',
  ];
  static override args = { link: Args.string({ required: true, description: 'Link of the invitation' }) };
  static override flags = {
    'display-name': Flags.string({ description: 'How a new account is called; left out: the e-mail address' }),
    'password-stdin': Flags.boolean({ description: 'Read the password from standard input' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.input();
    const { link = '' } = args;
    const baseUrl = this.common.url ?? addressOf(link) ?? this.baseUrl;
    const password =
      flags['password-stdin'] === true
        ? await readStdin()
        : await askPassword('Password of the account, or the one that a new account is to have', '--password-stdin');
    const displayName = typeof flags['display-name'] === 'string' ? { displayName: flags['display-name'] } : {};
    const { accessToken, user } = await new ApiClient({ baseUrl }).call(accountRoutes.acceptInvitation, {
      body: { token: tokenOf(link), password, ...displayName },
    });
    saveProfile(this.profileName, { url: baseUrl, token: accessToken });
    if (this.common.json === true) this.show(user);
    else this.logToStderr(`Logged in to ${baseUrl} as ${user.email}.`);
  }
}
