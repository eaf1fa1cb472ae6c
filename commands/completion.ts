import * as Args from '@oclif/core/args';
import { EarshotCommand } from '../src/cli/command/command.js';
import { completionScripts } from '../src/cli/completion/scripts.js';

export default class Completion extends EarshotCommand {
  static override summary = 'Print what a shell loads to complete commands, flags, names and ids.';
  static override description =
    'Names (people, rooms, projects, keys, webhooks and the rest) come from the daemon and are kept for half a minute for each login; while the daemon is away nothing is suggested. For every new shell: write the line into ~/.bashrc, or into ~/.zshrc.';
  static override examples = [
    'eval "$(<%= config.bin %> <%= command.id %> bash)"',
    'eval "$(<%= config.bin %> <%= command.id %> zsh)"',
  ];
  static override args = {
    shell: Args.string({
      required: true,
      options: Object.keys(completionScripts),
      description: 'Shell to print it for',
    }),
  };

  async run(): Promise<void> {
    const { args } = await this.input(Completion);
    this.log((completionScripts[args.shell] ?? '').trimEnd());
  }
}
