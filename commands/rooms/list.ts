import { ProjectCommand } from '../../src/cli/command.js';
import { roomRoutes } from '../../src/contract/rooms/rooms.js';

export default class RoomsList extends ProjectCommand {
  static override summary = roomRoutes.list.summary;
  static override examples = ['<%= config.bin %> <%= command.id %>'];

  async run(): Promise<void> {
    await this.input(RoomsList);
    const rooms = await this.client.call(roomRoutes.list, { params: { projectId: await this.projectId() } });
    const rows = rooms.flatMap(({ roomId, sessionId, peers }) => peers.map((peer) => ({ roomId, sessionId, ...peer })));
    this.list(rooms, rows, ['roomId', 'externalUserId', 'displayName', 'publishing', 'muted', 'sessionId']);
  }
}
