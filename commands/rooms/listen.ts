import { interruption, untilEnd } from '../../src/cli/interruption.js';
import { forFlag, moderateFlag, personFlags, RoomCommand, roomArgument } from '../../src/cli/voice/room-command.js';
import { harmless } from '../../src/printable.js';

export default class RoomsListen extends RoomCommand {
  static override summary = 'Listen to a room: who speaks, what is written down, who comes and goes.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> demo',
    '<%= config.bin %> <%= command.id %> demo --for 30s --json',
  ];
  static override args = { room: roomArgument };
  static override flags = { ...personFlags('listener'), ...moderateFlag, ...forFlag };

  async run(): Promise<void> {
    const { args, flags } = await this.input(RoomsListen);
    const seconds = this.secondsOf(flags.for);
    const { listen, lineOf } = await import('../../src/cli/voice/listen.js');
    const signal = interruption();
    const asJson = this.common.json === true || !this.screen.isTerminal;
    await listen({
      access: await this.access(args.room, flags, { publish: false, subscribe: true, moderate: flags.moderate }),
      until: () => untilEnd(signal, seconds),
      tell: (line) => this.logToStderr(line),
      onHappening: (happening) => {
        const line = asJson ? JSON.stringify(happening) : lineOf(happening);
        if (line !== null) this.log(asJson ? line : `${new Date().toISOString().slice(11, 19)}  ${harmless(line)}`);
      },
    });
  }
}
