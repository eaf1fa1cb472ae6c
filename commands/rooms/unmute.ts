import { Lift } from '../../src/cli/rooms/restrict.js';
import { roomRestrictionRoutes } from '../../src/contract/rooms/room-restrictions.js';

export default class RoomsUnmute extends Lift {
  static override summary = roomRestrictionRoutes.unmute.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> demo'];

  protected override readonly kind = 'unmute';
}
