import { ImposeCommand } from '../src/cli/moderation/impose.js';
import { banTypes, type SanctionType } from '../src/contract/moderation/sanction-record.js';

export default class Ban extends ImposeCommand {
  static override summary = "Ban somebody from the project's rooms, for a time or permanently.";
  static override examples = ['<%= config.bin %> ban u_42 7d --reason "threats"'];

  protected override readonly stacksWith = banTypes;

  protected kind(ends: boolean): SanctionType {
    return ends ? 'temp_ban' : 'perm_ban';
  }
}
