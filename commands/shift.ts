import * as Flags from '@oclif/core/flags';
import { ProjectCommand } from '../src/cli/command/command.js';
import { shiftOf } from '../src/cli/moderation/shift.js';
import { shiftView } from '../src/cli/moderation/shift-view.js';
import { moderatorNames } from '../src/cli/names/moderators.js';
import { ownId } from '../src/cli/names/own-id.js';
import { daemonNow } from '../src/cli/typed/daemon-clock.js';
import { parseTime } from '../src/cli/typed/times.js';
import { shiftNoteRoutes } from '../src/contract/moderation/shift-notes.js';

export default class Shift extends ProjectCommand {
  static override summary = 'Show what you left open and what others did, or leave a note.';
  static override examples = [
    '<%= config.bin %> shift',
    '<%= config.bin %> shift --since "yesterday 22:00"',
    '<%= config.bin %> shift --note "Room demo is muted until ten: a raid. Ann looks at the case."',
  ];
  static override flags = {
    since: Flags.string({ description: 'What others did since then: 8h, yesterday, "mon 18:00"', default: '12h' }),
    note: Flags.string({ description: 'Leave this note, which moderators see for 30 days' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.input(Shift);
    const projectId = await this.projectId();
    if (flags.note !== undefined) {
      const body = { text: flags.note };
      const made = await this.client.call(shiftNoteRoutes.create, { params: { projectId }, body });
      if (this.common.json === true) return this.printJson(made);
      return this.logToStderr('The next moderator reads it in `earshot shift`.');
    }
    const since = parseTime(flags.since, daemonNow(), 'past');
    const shift = await shiftOf(this.client, projectId, await ownId(this.client), since);
    if (this.common.json === true) return this.printJson(shift);
    this.log(shiftView(shift, await moderatorNames(this.client, projectId), this.screen.now));
  }
}
