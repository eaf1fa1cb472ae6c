import { Restrict } from '../../src/cli/rooms/restrict.js';
import { roomRestrictionRoutes } from '../../src/contract/rooms/room-restrictions.js';

export default class RoomsClose extends Restrict {
  static override summary = roomRestrictionRoutes.close.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> demo 1h'];

  protected override readonly kind = 'close';
}
