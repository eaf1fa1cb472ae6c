import { TakeBack } from '../src/cli/moderation/take-back.js';
import { banTypes } from '../src/contract/moderation/sanction-kinds.js';
import { sanctionRoutes } from '../src/contract/moderation/sanctions.js';

export default class Unban extends TakeBack {
  static override summary = 'Unban somebody: revoke all of their bans.';
  static override examples = ['<%= config.bin %> unban u_42 --reason "appeal"'];

  protected readonly kinds = banTypes;

  /** Bans outlive the erasure of a person, and are then in no list. */
  protected override async tookBackOtherwise(projectId: string, externalUserId: string): Promise<boolean> {
    const params = { projectId, externalUserId };
    const { lifted } = await this.client.call(sanctionRoutes.liftErasedBans, { params });
    if (lifted > 0) this.logToStderr(`${lifted} bans kept from an erasure are revoked.`);
    return lifted > 0;
  }
}
