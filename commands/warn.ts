import { ImposeCommand } from '../src/cli/moderation/impose.js';
import type { SanctionType } from '../src/contract/moderation/sanction-record.js';

export default class Warn extends ImposeCommand {
  static override summary = 'Warn somebody.';
  static override examples = ['<%= config.bin %> warn u_42 10m --reason "shouting"'];

  protected kind(): SanctionType {
    return 'warn';
  }
}
