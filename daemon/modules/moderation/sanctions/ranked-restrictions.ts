/** The people who are kept out of rankings by a ranked restriction in force. */
import type { DatabaseClient } from '../../../platform/database/database.js';
import type { Clock } from '../../../platform/time/clock.js';
import type { SanctionStore } from './store.js';

export class RankedRestrictions {
  constructor(
    private readonly sanctions: Pick<SanctionStore, 'rankRestricted'>,
    private readonly now: Clock,
  ) {}

  /** Returns the external user ids of those who are restricted in the whole project. */
  async restrictedUsers(client: DatabaseClient, projectId: string): Promise<ReadonlySet<string>> {
    return new Set(await this.sanctions.rankRestricted(client, projectId, this.now()));
  }
}
