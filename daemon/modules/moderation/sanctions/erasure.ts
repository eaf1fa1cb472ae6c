/**
 * Deletes a person's sanctions when the person is erased, keeps what must remain of bans, and lifts that on request.
 */

import type { Database, Transaction } from '../../../platform/database/database.js';
import type { ProjectGrant } from '../../../platform/http/caller.js';
import type { PersonErasure } from '../../../platform/module.js';
import type { Clock } from '../../../platform/time/clock.js';
import type { ErasedBans } from './erased-ban-store.js';
import type { SanctionJournal } from './journal.js';
import type { RoomEnforcer } from './room-enforcer.js';
import { statusOf } from './rules.js';
import type { SanctionedPerson } from './sanction-rows.js';
import type { SanctionStore } from './store.js';

interface SanctionErasureNeeds {
  readonly database: Database;
  readonly journal: Pick<SanctionJournal, 'lifted'>;
  readonly sanctions: SanctionStore;
  readonly erasedBans: ErasedBans;
  readonly enforcer: RoomEnforcer;
  readonly now: Clock;
}

export class SanctionErasure implements PersonErasure {
  constructor(private readonly needs: SanctionErasureNeeds) {}

  /** Erases them some at a time: others write in between. */
  async inBatches(projectId: string, person: SanctionedPerson): Promise<void> {
    while ((await this.needs.database.transaction((tx) => this.eraseSome(tx, projectId, person))) > 0);
  }

  async afterLog(tx: Transaction, projectId: string, person: SanctionedPerson): Promise<void> {
    while ((await this.eraseSome(tx, projectId, person)) > 0);
  }

  async afterCommit(projectId: string, externalUserId: string): Promise<void> {
    await this.needs.enforcer.enforce(projectId, [externalUserId]);
  }

  private async eraseSome(tx: Transaction, projectId: string, person: SanctionedPerson): Promise<number> {
    const now = this.needs.now();
    // A ban that is being revoked must not come back as one of an erased person.
    const rows = await this.needs.sanctions.lockSomeOfPerson(tx, projectId, person, now);
    await this.needs.erasedBans.keep(
      tx,
      rows.filter((row) => statusOf(row, now) === 'active'),
      now,
    );
    return (await this.needs.sanctions.remove(tx, rows)).count;
  }

  /** Lifts the bans of an erased person; returns how many there were. */
  async lift({ projectId }: Pick<ProjectGrant, 'projectId'>, externalUserId: string): Promise<number> {
    const lifted = await this.needs.database.transaction(async (tx) => {
      const bans = await this.needs.erasedBans.lift(tx, projectId, externalUserId);
      await this.needs.journal.lifted(tx, bans);
      return bans.length;
    });
    await this.needs.enforcer.enforce(projectId, [externalUserId]);
    return lifted;
  }
}
