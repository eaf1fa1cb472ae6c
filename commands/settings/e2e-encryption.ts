import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { ProjectCommand } from '../../src/cli/command/command.js';
import { EncryptionMode, encryptionModes, settingsRoutes } from '../../src/contract/projects/settings.js';
import { askPassword, canAsk, readStdin } from '../../src/terminal/questions.js';

const question = 'Password of the rooms (empty: keep the stored one)';

export default class SettingsE2eEncryption extends ProjectCommand {
  static override summary = settingsRoutes.e2eEncryption.summary;
  static override description =
    'The password of mode manual is asked for, or read from standard input; an empty one keeps the stored password.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> automatic',
    '<%= config.bin %> <%= command.id %> manual --password-stdin < room-password',
  ];
  static override args = {
    mode: Args.string({ required: true, options: [...encryptionModes], description: 'How the key of a room is made' }),
  };
  static override flags = {
    'password-stdin': Flags.boolean({ description: 'Read the password from standard input' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.input(SettingsE2eEncryption);
    const mode = EncryptionMode.parse(args.mode);
    const password = mode === 'manual' ? await this.password(flags['password-stdin']) : '';
    const answer = await this.client.call(settingsRoutes.e2eEncryption, {
      params: { projectId: await this.projectId() },
      body: { mode, ...(password === '' ? {} : { password }) },
    });
    this.show(answer, ['e2eEncryptionMode', 'updatedAt']);
  }

  private async password(fromStdin: boolean): Promise<string> {
    if (fromStdin) return readStdin();
    return canAsk() ? askPassword(question, '--password-stdin') : '';
  }
}
