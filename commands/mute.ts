import { Impose } from '../src/cli/moderation.js';
import type { SanctionType } from '../src/contract/moderation/sanctions.js';

export default class Mute extends Impose {
  static override summary = 'Silence somebody, at once.';
  static override examples = ['<%= config.bin %> mute u_42 10m --reason "shouting"'];

  protected kind(): SanctionType {
    return 'mute';
  }
}
