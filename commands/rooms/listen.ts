import * as Flags from '@oclif/core/flags';
import { forFlag, listenerFlags, RoomCommand, roomArgument } from '../../src/cli/rooms/voice/room-command.js';
import { interruption } from '../../src/terminal/interruption.js';
import { harmless } from '../../src/text/printable.js';

export default class RoomsListen extends RoomCommand {
  static override summary = 'Listen to a room: who speaks, what is transcribed, who comes and goes.';
  static override description =
    'You join as an observer of the team: everybody in the room sees that somebody of the team listens, but not who; the audit log says who. With --user, you join as that participant.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> demo',
    '<%= config.bin %> <%= command.id %> demo --for 30s --json',
    '<%= config.bin %> <%= command.id %> demo --user u1',
  ];
  static override args = { room: roomArgument };
  static override flags = {
    ...listenerFlags,
    ...forFlag,
    moderate: Flags.boolean({
      description: 'With --user: show annotations of plugins and shadow-muted people, as to an observer',
    }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.input(RoomsListen);
    const seconds = this.secondsOf(flags.for);
    const { happeningLines, listen } = await import('../../src/cli/rooms/voice/listen.js');
    const signal = interruption();
    const asJson = this.common.json === true || !this.screen.isTerminal;
    const lineOf = happeningLines();
    await listen({
      access: await this.listeningAccess(args.room, flags),
      signal,
      seconds,
      printLine: (line) => this.logToStderr(line),
      onHappening: (happening) => {
        const line = asJson ? JSON.stringify(happening) : lineOf(happening);
        if (line !== null) this.log(asJson ? line : `${new Date().toISOString().slice(11, 19)}  ${harmless(line)}`);
      },
    });
  }
}
