import { ProjectCommand } from '../../src/cli/command/command.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { type Room, roomRoutes } from '../../src/contract/rooms/rooms.js';

export default class RoomsList extends ProjectCommand {
  static override summary = roomRoutes.list.summary;
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --user bob'];
  static override flags = flagsFor(roomRoutes.list.query);

  async run(): Promise<void> {
    const { flags } = await this.input(RoomsList);
    const params = { projectId: await this.projectId() };
    const query = requestFrom(roomRoutes.list.query, flags);
    const rooms = await this.client.call(roomRoutes.list, { params, query });
    const rows = rooms.flatMap(({ sessionId, peers, ...room }) => {
      const { roomId } = room;
      const restricted = restrictionWords(room);
      if (peers.length === 0) return [{ roomId, restricted, sessionId }];
      return peers.map((peer) => ({
        ...peer,
        roomId,
        restricted,
        name: peer.displayName,
        does: doing(peer),
        sessionId,
      }));
    });
    const columns = ['roomId', 'name', 'does', 'externalUserId', 'sessionId'];
    const isRestricted = rooms.some((room) => restrictionWords(room) !== '');
    this.list(rooms, rows, isRestricted ? ['roomId', 'restricted', ...columns.slice(1)] : columns);
  }
}

const restrictionWords = ({ muted, closed }: Pick<Room, 'muted' | 'closed'>): string =>
  [muted === null ? '' : 'muted', closed === null ? '' : 'closed'].filter((word) => word !== '').join(', ');

function doing({ bot, observer, muted, speaking, publishing }: Room['peers'][number]): string {
  if (bot) return 'writes down';
  if (observer) return 'observes';
  if (muted) return 'is muted';
  if (speaking) return 'speaks';
  return publishing ? 'is quiet' : 'listens';
}
