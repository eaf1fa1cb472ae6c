import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { EarshotCommand } from '../../src/cli/command/command.js';
import { daemonClient } from '../../src/cli/command/daemon-client.js';
import { saveLogin } from '../../src/cli/command/profile.js';
import { withMailedCode } from '../../src/cli/sign-in/mailed-code.js';
import { stated } from '../../src/cli/typed/fields.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { askNewPassword, askPassword, readStdin } from '../../src/terminal/questions.js';
import { UsageError } from '../../src/terminal/usage-error.js';
import { harmless } from '../../src/text/printable.js';

/** The part of the link after #token=, or the bare token. */
const tokenOf = (link: string): string => /#token=([\w-]+)/.exec(link)?.[1] ?? link;
const linkRefused =
  'The link is a secret, and everybody on this machine can read the arguments of a command. Omit it to be prompted for it, or use --stdin.';
/** The link contains the address of its daemon. */
const addressOf = (link: string): string | null =>
  URL.canParse(link) ? new URL('.', link).href.replace(/\/$/, '') : null;

export default class UsersAccept extends EarshotCommand {
  static override summary = accountRoutes.acceptInvitation.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    'printf \'%s\\n\' "$LINK" "$PASSWORD" | <%= config.bin %> <%= command.id %> --stdin',
  ];
  static override description =
    'Prompts for the link and the password, hidden: anybody who has the link may accept it.';
  static override args = {
    link: Args.string({
      hidden: true,
      ignoreStdin: true,
      description: 'Refused as an argument, because the link is a secret',
    }),
  };
  static override flags = {
    code: Flags.string({ description: 'Code from the e-mail, when one was sent; default: prompt for it' }),
    'display-name': Flags.string({ description: 'Name of a new account; default: the e-mail address' }),
    stdin: Flags.boolean({ description: 'Read the link and the password from standard input, one per line' }),
  };

  protected override readonly signsIn = true;

  async run(): Promise<void> {
    const { args, flags } = await this.input(UsersAccept);
    if (args.link !== undefined) throw new UsageError(linkRefused);
    const [link = '', given = ''] = flags.stdin
      ? (await readStdin()).split(/\r?\n/)
      : [await askPassword('Link of the invitation', '--stdin')];
    const baseUrl = this.typedPlace.url ?? addressOf(link) ?? this.baseUrl;
    const password = flags.stdin ? given : await this.passwordFor(baseUrl, tokenOf(link));
    const displayName = stated({ displayName: flags['display-name'] });
    const body = { token: tokenOf(link), password, ...displayName };
    const { accessToken, user } = await withMailedCode(
      flags.code,
      (code) => daemonClient(baseUrl).call(accountRoutes.acceptInvitation, { body: { ...body, ...code } }),
      (line) => this.logToStderr(line),
    );
    saveLogin(this.profileName, baseUrl, accessToken);
    if (this.common.json === true) this.show(user);
    else this.logToStderr(`Logged in to ${baseUrl} as ${user.email}.`);
  }

  /** Says who invites to what before anybody types a password. */
  private async passwordFor(baseUrl: string, token: string): Promise<string> {
    const invitation = await daemonClient(baseUrl).call(accountRoutes.readInvitation, { body: { token } });
    const { email, project, role, invitedBy, hasAccount } = invitation;
    this.logToStderr(harmless(`${invitedBy ?? 'Somebody'} invites ${email} to the project ${project} as ${role}.`));
    return hasAccount
      ? askPassword(`Password of ${harmless(email)}`, '--stdin')
      : askNewPassword(`New password for ${harmless(email)}`, '--stdin');
  }
}
