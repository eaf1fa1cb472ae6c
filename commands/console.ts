import { ConsoleCommand, noBrowserFlag } from '../src/cli/sign-in/console-command.js';

export default class Console extends ConsoleCommand {
  static override summary = 'Open the console in a browser, signed in as you.';
  static override examples = ['<%= config.bin %> console', '<%= config.bin %> console --no-browser'];
  static override flags = noBrowserFlag;

  async run(): Promise<void> {
    const { flags } = await this.input(Console);
    await this.lead('', !flags['no-browser']);
  }
}
