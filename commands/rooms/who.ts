import { ProjectCommand } from '../../src/cli/command/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { roomVisitRoutes } from '../../src/contract/rooms/room-visits.js';

export default class RoomsWho extends ProjectCommand {
  static override summary = roomVisitRoutes.list.summary;
  static override description = roomVisitRoutes.list.description;
  static override examples = [
    '<%= config.bin %> <%= command.id %> demo --since 10m',
    '<%= config.bin %> <%= command.id %> demo --since "yesterday 21:00" --until "yesterday 22:00"',
  ];
  static override args = { room: nameArgument('joinedRoom') };
  static override flags = flagsFor(roomVisitRoutes.list.query);

  async run(): Promise<void> {
    const { args, flags } = await this.input(RoomsWho);
    const params = { projectId: await this.projectId(), roomId: args.room };
    const query = requestFrom(roomVisitRoutes.list.query, flags);
    const visits = await this.client.call(roomVisitRoutes.list, { params, query });
    const rows = visits.map(({ displayName: name, joinedAt, leftAt, here, ...visit }) => ({
      ...visit,
      name,
      joined: joinedAt ?? 'before',
      left: leftAt ?? (here ? 'is here' : 'unknown'),
    }));
    this.list(visits, rows, ['name', 'joined', 'left', 'reason', 'externalUserId']);
  }
}
