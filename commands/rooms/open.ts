import { randomInt } from 'node:crypto';
import * as Flags from '@oclif/core/flags';
import { moderateFlag, personFlags, RoomCommand, roomArgument } from '../../src/cli/rooms/voice/room-command.js';
import { pageLink } from '../../src/client/room/room-access.js';

/** Each link lets one person in; without a name each is for another guest. */
const guest = async (): Promise<string> => `guest-${randomInt(1_000, 10_000)}`;

export default class RoomsOpen extends RoomCommand {
  static override summary = "Print a link to the room's page, for one person to talk and listen in a browser.";
  static override examples = [
    '<%= config.bin %> <%= command.id %> demo --user u1 --name "Ann"',
    '<%= config.bin %> <%= command.id %> demo --observe',
  ];
  static override args = { room: roomArgument };
  static override flags = {
    ...personFlags('guest'),
    ...moderateFlag,
    observe: Flags.boolean({
      description: 'To listen only, as an observer of the team, as with `rooms listen`',
      exclusive: ['user', 'name', 'moderate'],
    }),
    user: Flags.string({
      description: 'External id of the person; default: a guest',
      default: guest,
      noCacheDefault: true,
    }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.input(RoomsOpen);
    const { room } = args;
    const access = flags.observe
      ? await this.observing(room)
      : await this.access(room, flags, { publish: true, subscribe: true, moderate: flags.moderate });
    const link = pageLink(access);
    const externalUserId = flags.observe ? null : flags.user;
    if (this.common.json === true) this.show({ roomId: room, externalUserId, link });
    else this.log(link);
  }
}
