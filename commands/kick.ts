import * as Flags from '@oclif/core/flags';
import { ImposeCommand } from '../src/cli/moderation/impose.js';
import { kickOut } from '../src/cli/people/kick-out.js';
import { banTypes } from '../src/contract/moderation/sanction-kinds.js';
import type { SanctionType } from '../src/contract/moderation/sanction-record.js';
import { roomRoutes } from '../src/contract/rooms/rooms.js';
import { StateError } from '../src/terminal/state-error.js';
import { UsageError } from '../src/terminal/usage-error.js';
import { harmless } from '../src/text/printable.js';

/** Flags that only a sanction has. */
const sanctionFlags = ['reason', 'template', 'note', 'replace', 'also'] as const;

export default class Kick extends ImposeCommand {
  static override summary = 'Remove somebody from their rooms; with a duration, they stay out that long.';
  static override examples = ['<%= config.bin %> kick u_42', '<%= config.bin %> kick u_42 10m --reason "shouting"'];
  // A room is what people are thrown out of; only what lasts needs its session.
  static override flags = { ...ImposeCommand.flags, room: Flags.string({ description: 'Only from this room' }) };

  protected override readonly stacksWith = banTypes;

  protected kind(ends: boolean): SanctionType {
    return ends ? 'temp_ban' : 'perm_ban';
  }

  override async run(): Promise<void> {
    const { args, flags } = await this.typed(Kick);
    if (args.duration !== undefined || flags.until !== undefined) {
      const room = flags.room === undefined ? undefined : await this.idOf('session', flags.room);
      return this.impose(args, { ...flags, room });
    }
    const unused = sanctionFlags.filter((name) => flags[name] !== undefined && flags[name] !== false);
    if (unused.length > 0)
      throw new UsageError(
        `A kick without a duration stores no sanction: add a duration, such as 10m, or omit --${unused.join(' and --')}.`,
      );
    const projectId = await this.projectId();
    const externalUserId = args.user;
    const only = flags.room === undefined ? undefined : await this.idOf('room', flags.room);
    const rooms = (await this.client.call(roomRoutes.list, { params: { projectId } }))
      .filter(({ peers }) => peers.some((peer) => peer.externalUserId === externalUserId))
      .filter(({ roomId }) => only === undefined || only === roomId);
    if (rooms.length === 0) {
      const where = only === undefined ? 'in no room' : `not in the room ${harmless(only)}`;
      const says = `${harmless(externalUserId)} is ${where}. \`rooms list\` shows who is where.`;
      throw new StateError('not_in_room', says, { externalUserId });
    }
    for (const room of rooms) this.logToStderr(await kickOut(this.client, projectId, room, externalUserId));
  }
}
