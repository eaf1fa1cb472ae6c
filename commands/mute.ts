import { ImposeCommand } from '../src/cli/moderation/impose.js';
import type { SanctionType } from '../src/contract/moderation/sanction-record.js';

export default class Mute extends ImposeCommand {
  static override summary = 'Mute somebody at once.';
  static override examples = ['<%= config.bin %> mute u_42 10m --reason "shouting"'];

  protected override readonly stacksWith: readonly SanctionType[] = ['mute', 'shadow_mute'];

  protected kind(): SanctionType {
    return 'mute';
  }
}
