import { TakeBack } from '../src/cli/moderation/take-back.js';
import { silencingTypes } from '../src/contract/moderation/sanction-kinds.js';

export default class Unmute extends TakeBack {
  static override summary = 'Unmute somebody: revoke every sanction that silences them.';
  static override examples = ['<%= config.bin %> unmute u_42'];

  protected readonly kinds = silencingTypes;
}
