/** The sanctions in force against a person, including bans that outlived their erasure and are in no list. */

import type { Sanction } from '../../../../src/contract/moderation/sanctions.js';
import type { Clock } from '../../../platform/clock.js';
import { timeOrNull } from '../../../platform/database/column-values.js';
import type { ErasedBans } from './erased-ban-store.js';
import type { SanctionService } from './service.js';

export type SanctionInForce = Pick<Sanction, 'type' | 'endAt' | 'parameters' | 'sessionId'>;

export class SanctionsInForce {
  constructor(
    private readonly sanctions: Pick<SanctionService, 'activeOfUser'>,
    private readonly erasedBans: ErasedBans,
    private readonly now: Clock,
  ) {}

  async ofUser(projectId: string, externalUserId: string): Promise<SanctionInForce[]> {
    const listed = await this.sanctions.activeOfUser(projectId, externalUserId);
    const outlived = await this.erasedBans.inForce(projectId, [externalUserId], this.now());
    const bans = (outlived.get(externalUserId) ?? []).filter(({ sessionId }) => sessionId === null);
    return [...listed, ...bans.map((ban) => ({ ...ban, endAt: timeOrNull(ban.endAt) }))];
  }
}
