import { Lift } from '../../src/cli/rooms/restrict.js';
import { roomRestrictionRoutes } from '../../src/contract/rooms/room-restrictions.js';

export default class RoomsReopen extends Lift {
  static override summary = roomRestrictionRoutes.reopen.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> demo'];

  protected override readonly kind = 'reopen';
}
