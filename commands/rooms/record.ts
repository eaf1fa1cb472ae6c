import * as Args from '@oclif/core/args';
import { forFlag, listenerFlags, RoomCommand, roomArgument } from '../../src/cli/rooms/voice/room-command.js';
import { interruption } from '../../src/terminal/interruption.js';
import { harmless } from '../../src/text/printable.js';

export default class RoomsRecord extends RoomCommand {
  static override summary = 'Record a room, one WAV file for each speaker, all in sync.';
  static override description =
    'You join as an observer of the team, as with `rooms listen`. With --user, you join as that participant.';
  static override examples = ['<%= config.bin %> <%= command.id %> demo evening --for 10m'];
  static override args = {
    room: roomArgument,
    folder: Args.string({ required: true, description: 'Folder for the files' }),
  };
  static override flags = { ...listenerFlags, ...forFlag };

  async run(): Promise<void> {
    const { args, flags } = await this.input(RoomsRecord);
    const seconds = this.secondsOf(flags.for);
    const [{ happeningLines, listen }, { TrackFiles }] = await Promise.all([
      import('../../src/cli/rooms/voice/listen.js'),
      import('../../src/cli/rooms/voice/track-files.js'),
    ]);
    const access = await this.listeningAccess(args.room, { ...flags, moderate: false });
    const signal = interruption();
    const files = new TrackFiles(args.folder, Date.now());
    try {
      const lineOf = happeningLines();
      await listen({
        access,
        signal,
        seconds,
        printLine: (line) => this.logToStderr(line),
        onHappening: (happening) => {
          const line = lineOf(happening);
          if (line !== null) this.logToStderr(harmless(line));
        },
        onSound: (sound) => files.write(sound),
      });
    } finally {
      const recorded = files.close(); // what was heard until then is whole, however it ended
      this.list(recorded, recorded, ['externalUserId', 'file', 'seconds']);
    }
  }
}
