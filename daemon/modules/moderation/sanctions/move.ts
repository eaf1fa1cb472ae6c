/** Follows a person to another external user id, in bans that outlived an erasure and in the rooms. */
import type { Reader, Transaction } from '../../../platform/database/database.js';
import type { KnownPerson, PersonMoveSteps } from '../../../platform/module.js';
import type { MovingPerson } from '../../../platform/moving-person.js';
import type { Clock } from '../../../platform/time/clock.js';
import type { ErasedBans } from './erased-ban-store.js';
import type { RoomEnforcer } from './room-enforcer.js';
import type { SanctionStore } from './store.js';

export class SanctionMove implements PersonMoveSteps {
  constructor(
    private readonly sanctions: Pick<SanctionStore, 'countActive'>,
    private readonly erasedBans: Pick<ErasedBans, 'rename'>,
    private readonly enforcer: Pick<RoomEnforcer, 'enforce' | 'applied'>,
    private readonly now: Clock,
  ) {}

  async count(reader: Reader | Transaction, { projectId, externalUserId }: KnownPerson) {
    return { activeSanctions: await this.sanctions.countActive(reader, projectId, externalUserId, this.now()) };
  }

  async merge(tx: Transaction, person: MovingPerson): Promise<void> {
    await this.erasedBans.rename(tx, person);
  }

  async afterCommit({ projectId, from, to }: MovingPerson): Promise<void> {
    await this.enforcer.enforce(projectId, [from, to]);
    await this.enforcer.applied([{ projectId }]);
  }
}
