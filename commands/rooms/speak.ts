import * as Args from '@oclif/core/args';
import { personFlags, RoomCommand, roomArgument } from '../../src/cli/rooms/voice/room-command.js';
import { interruption } from '../../src/terminal/interruption.js';
import { ProgressLine } from '../../src/terminal/progress.js';

export default class RoomsSpeak extends RoomCommand {
  static override summary = 'Play a WAV file into a room, as a participant.';
  static override examples = ['<%= config.bin %> <%= command.id %> demo greeting.wav --user u1'];
  static override args = {
    room: roomArgument,
    file: Args.string({ required: true, description: 'WAV file: mono or stereo, any rate' }),
  };
  static override flags = personFlags('speaker');

  async run(): Promise<void> {
    const { args, flags } = await this.input(RoomsSpeak);
    const { room, file } = args;
    const { recordingIn, speak } = await import('../../src/cli/rooms/voice/speak.js');
    const recording = await recordingIn(file);
    const line = new ProgressLine();
    const whole = recording.length / recording.rate;
    const spoken = await speak({
      access: await this.access(room, flags, { publish: true, subscribe: true }),
      recording,
      signal: interruption(),
      onProgress: (seconds) => line.show(seconds, whole, `${seconds.toFixed(1)} of ${whole.toFixed(1)} s`),
      printLine: (text) => {
        line.clear();
        this.logToStderr(text);
      },
    }).finally(() => line.clear());
    this.show({ roomId: room, externalUserId: flags.user, ...spoken });
  }
}
