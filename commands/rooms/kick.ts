import { ProjectCommand } from '../../src/cli/command/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { kickOut } from '../../src/cli/people/kick-out.js';
import { roomRoutes } from '../../src/contract/rooms/rooms.js';

export default class RoomsKick extends ProjectCommand {
  static override summary = roomRoutes.kick.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> demo u_42'];
  static override args = {
    room: nameArgument('room'),
    user: nameArgument('person'),
  };

  async run(): Promise<void> {
    const { args } = await this.input(RoomsKick);
    const projectId = await this.projectId();
    const rooms = await this.client.call(roomRoutes.list, { params: { projectId } });
    const room = rooms.find(({ roomId }) => roomId === args.room) ?? { roomId: args.room, peers: [] };
    this.logToStderr(await kickOut(this.client, projectId, room, args.user));
  }
}
