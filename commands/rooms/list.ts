import { ProjectCommand } from '../../src/cli/command.js';
import { type Room, roomRoutes } from '../../src/contract/rooms/rooms.js';

export default class RoomsList extends ProjectCommand {
  static override summary = roomRoutes.list.summary;
  static override examples = ['<%= config.bin %> <%= command.id %>'];

  async run(): Promise<void> {
    await this.input(RoomsList);
    const rooms = await this.client.call(roomRoutes.list, { params: { projectId: await this.projectId() } });
    const rows = rooms.flatMap(({ roomId, sessionId, peers }) =>
      peers.map((peer) => ({ roomId, name: peer.displayName, does: doing(peer), ...peer, sessionId })),
    );
    this.list(rooms, rows, ['roomId', 'name', 'does', 'externalUserId', 'sessionId']);
  }
}

function doing({ bot, observer, muted, speaking, publishing }: Room['peers'][number]): string {
  if (bot) return 'writes down';
  if (observer) return 'observes';
  if (muted) return 'is muted';
  if (speaking) return 'speaks';
  return publishing ? 'is quiet' : 'listens';
}
