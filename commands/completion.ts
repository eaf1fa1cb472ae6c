import * as Args from '@oclif/core/args';
import { EarshotCommand } from '../src/cli/command/command.js';
import { completionScripts } from '../src/cli/completion/scripts.js';

export default class Completion extends EarshotCommand {
  static override summary = 'Print a script by which your shell completes commands, flags, names and ids.';
  static override description =
    'Names (people, rooms, projects, keys, webhooks and more) come from the daemon and are cached for half a minute per login; while the daemon is unreachable, no names are suggested. To have completion in every new shell, add the line below to ~/.bashrc or ~/.zshrc.';
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
