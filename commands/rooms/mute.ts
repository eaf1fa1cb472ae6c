import { Restrict } from '../../src/cli/rooms/restrict.js';
import { roomRestrictionRoutes } from '../../src/contract/rooms/room-restrictions.js';

export default class RoomsMute extends Restrict {
  static override summary = roomRestrictionRoutes.mute.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> demo 10m'];

  protected override readonly kind = 'mute';
}
