import { ProjectCommand } from '../../src/cli/command/command.js';
import { KnownNames } from '../../src/cli/names/known-names.js';
import { roomArgument } from '../../src/cli/rooms/voice/room-command.js';
import { followRoom } from '../../src/cli/rooms/watch/follow-room.js';
import { RoomWatch } from '../../src/cli/rooms/watch/room-watch.js';
import { Keyboard } from '../../src/cli/terminal/live/keyboard.js';
import { LiveScreen } from '../../src/cli/terminal/live/screen.js';
import { interruption } from '../../src/terminal/interruption.js';
import { UsageError } from '../../src/terminal/usage-error.js';

export default class RoomsWatch extends ProjectCommand {
  static override summary = 'Watch a room live: who speaks, what is said; keys mute, kick, ban and note.';
  static override description =
    'You take no seat in the room: nobody sees you. The arrow keys select a person. Needs a terminal; elsewhere, `events tail --follow-room` prints the same events.';
  static override examples = ['<%= config.bin %> <%= command.id %> demo'];
  static override args = { room: roomArgument };

  async run(): Promise<void> {
    const { args } = await this.input(RoomsWatch);
    if (this.common.json === true || process.stdout.isTTY !== true || process.stdin.isTTY !== true)
      throw new UsageError(
        `\`rooms watch\` needs a terminal. Elsewhere, type \`earshot events tail --follow-room ${args.room}\`.`,
      );
    const place = { projectId: await this.projectId(), roomId: args.room };
    const leave = new AbortController();
    const until = interruption(leave);
    const names = new KnownNames(this.client, place.projectId);
    const watch = new RoomWatch(this.client, place, names, {
      changed: () => screen.show(),
      leave: () => leave.abort(),
    });
    const screen = new LiveScreen((size) => watch.draw(size));
    const keyboard = new Keyboard((key) => watch.press(key));
    try {
      await followRoom(this.client, place, names, { until, ...watch.watcher });
    } finally {
      keyboard.close();
      screen.close();
    }
  }
}
