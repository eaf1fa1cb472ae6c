import { TakeBack } from '../src/cli/moderation.js';

export default class Unban extends TakeBack {
  static override summary = 'Let somebody in again: revokes their bans.';
  static override examples = ['<%= config.bin %> unban u_42 --reason "appeal"'];

  protected readonly kinds = ['temp_ban', 'perm_ban'] as const;
}
