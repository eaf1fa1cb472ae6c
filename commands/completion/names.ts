import * as Args from '@oclif/core/args';
import { ProjectCommand } from '../../src/cli/command/command.js';
import { keepNames } from '../../src/cli/completion/name-cache.js';
import { namesOfKind } from '../../src/cli/completion/names-of-kind.js';

/** Asked for by the completion itself. */
export default class CompletionNames extends ProjectCommand {
  static override hidden = true;
  static override summary = 'Ask the daemon for names, and keep them for the completion.';
  static override examples = ['<%= config.bin %> <%= command.id %> room'];
  static override args = { kind: Args.string({ required: true, description: 'What the names are of' }) };

  async run(): Promise<void> {
    const { args, flags } = await this.input(CompletionNames);
    const lookup = { client: this.client, projectId: () => this.projectId() };
    keepNames(flags, args.kind, await namesOfKind(args.kind, lookup));
  }
}
