import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { ProjectCommand } from '../../src/cli/command/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { movedCounts, movedName, moveView } from '../../src/cli/people/person-move-view.js';
import { personWords } from '../../src/cli/people/person-words.js';
import { confirm } from '../../src/cli/terminal/confirm.js';
import { personMoveRoutes } from '../../src/contract/people/person-moves.js';
import { shellWord } from '../../src/text/shell-word.js';

export default class ParticipantsMove extends ProjectCommand {
  static override summary = personMoveRoutes.move.summary;
  static override description =
    'Moves all or nothing: sanctions, notes, messages, seats in gatherings, progress. Sanctions apply to the new id at once. The old id is free afterwards.';
  static override aliases = ['people:move', 'players:move'];
  static override examples = [
    '<%= config.bin %> <%= command.id %> bob steam_77 --dry-run',
    '<%= config.bin %> <%= command.id %> u_42 steam_77 --yes',
  ];
  static override args = {
    user: nameArgument('person'),
    to: Args.string({ required: true, description: 'External user id of the new account' }),
  };
  static override flags = {
    'dry-run': Flags.boolean({ description: 'Only show what would move, and what stands in the way' }),
    yes: Flags.boolean({ description: 'Do not ask' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.input(ParticipantsMove);
    const params = { projectId: await this.projectId(), user: args.user };
    const query = { externalUserId: args.to };
    const preview = await this.client.call(personMoveRoutes.preview, { params, query });
    if (flags['dry-run']) return this.print(preview, moveView(preview));
    const { isNew, joined } = preview;
    const name = movedName(preview);
    const also =
      joined === null ? '' : ` ${personWords(joined.displayName, joined.externalUserId)} is merged into them.`;
    const gone = `This moves ${personWords(name, preview.from)} to ${preview.to}: ${movedCounts(preview.moved)}.${also}`;
    // Conflicts are refused by the daemon, with its reasons: there is nothing to confirm then.
    const mayAsk = preview.conflicts.length === 0;
    const back = isNew ? 'It can be moved back' : 'This cannot be undone';
    if (mayAsk) await confirm(name, gone, flags, back);
    const done = await this.client.call(personMoveRoutes.move, { params, body: query });
    this.print(done, moveView(done));
    if (isNew) this.logToStderr(`To undo: earshot participants move ${shellWord(done.to)} ${shellWord(done.from)}`);
    else this.logToStderr('The two histories are merged; no command can separate them again.');
  }

  private print(answer: object, text: string): void {
    if (this.common.json === true) this.printJson(answer);
    else this.log(text);
  }
}
