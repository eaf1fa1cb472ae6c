import * as Flags from '@oclif/core/flags';
import { listenerFlags, moderateFlag, RoomCommand, roomArgument } from '../../src/cli/rooms/voice/room-command.js';
import { roomEventSourceUrl } from '../../src/client/room/room-event-source-url.js';

export default class RoomsTicket extends RoomCommand {
  static override summary = "Print a one-time address of a room's event stream, for an EventSource.";
  static override description =
    "The browser's own EventSource opens it once, within 30 seconds. As an observer of the team, unless --user names a person.";
  static override examples = [
    '<%= config.bin %> <%= command.id %> demo --user u1',
    '<%= config.bin %> <%= command.id %> demo --address any',
  ];
  static override args = { room: roomArgument };
  static override flags = {
    ...listenerFlags,
    ...moderateFlag,
    address: Flags.string({ description: 'IP address of the browser, or any; default: this machine' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.input(RoomsTicket);
    const access = await this.listeningAccess(args.room, flags);
    const url = await roomEventSourceUrl(access, flags.address === undefined ? {} : { address: flags.address });
    if (this.common.json === true) this.show({ roomId: args.room, url });
    else this.log(url);
  }
}
