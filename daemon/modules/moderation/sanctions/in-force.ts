/** The sanctions in force against people, including bans that outlived their erasure and are in no list. */
import type { Sanction } from '../../../../src/contract/moderation/sanction-record.js';
import { addTo } from '../../../platform/collections/add-to.js';
import { timeOrNull } from '../../../platform/database/column-values.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { Clock } from '../../../platform/time/clock.js';
import type { ErasedBans } from './erased-ban-store.js';
import type { ActiveSanction } from './rules.js';
import { toActiveSanction } from './sanction-rows.js';
import type { SanctionStore } from './store.js';

export type SanctionInForce = Pick<Sanction, 'type' | 'endAt' | 'parameters' | 'sessionId'>;

export class SanctionsInForce {
  constructor(
    private readonly sanctions: SanctionStore,
    private readonly erasedBans: ErasedBans,
    private readonly now: Clock,
  ) {}

  /** By external user id; those without any are left out. */
  async inForceAgainst(
    tx: Transaction,
    projectId: string,
    externalUserIds: readonly string[],
  ): Promise<Map<string, SanctionInForce[]>> {
    const now = this.now();
    const found = new Map<string, SanctionInForce[]>();
    const add = (person: string, { endAt, standingUrl: _, ...one }: ActiveSanction) =>
      addTo(found, person, { ...one, endAt: timeOrNull(endAt) });
    for (const row of await this.sanctions.inForce(projectId, externalUserIds, now, tx))
      if (row.externalUserId !== null) add(row.externalUserId, toActiveSanction(row));
    for (const [person, bans] of await this.erasedBans.inForce(projectId, externalUserIds, now, tx))
      for (const ban of bans) if (ban.sessionId === null) add(person, ban);
    return found;
  }
}
