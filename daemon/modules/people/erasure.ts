/** Erases a person: every module completes a step before any module begins the next. */
import { DomainError } from '../../../src/contract/errors.js';
import type { Database } from '../../platform/database/database.js';
import type { EventLog } from '../../platform/events/log.js';
import type { PersonErasure } from '../../platform/module.js';
import { participantEvent } from './events.js';
import { type ParticipantStore, toParticipant } from './store.js';

export class ParticipantErasure {
  constructor(
    private readonly database: Database,
    private readonly log: EventLog,
    private readonly participants: ParticipantStore,
    private readonly holders: readonly PersonErasure[],
  ) {}

  /** Resolves once only keyed hashes of bans are left of the person. Throws participant_not_found. */
  async erase(projectId: string, id: string): Promise<void> {
    const known = await this.participants.find(projectId, id);
    if (known === null) throw new DomainError('participant_not_found');
    const { externalUserId } = known;
    for (const holder of this.holders) await holder.dismiss?.(projectId, externalUserId);
    const aheadTo = await this.log.head();
    for (const holder of this.holders) await holder.ahead?.(projectId, { ...known, aheadTo });
    await this.database.transaction(async (tx) => {
      const row = await this.participants.find(projectId, id, tx);
      if (row === null) throw new DomainError('participant_not_found');
      const person = { ...row, aheadTo };
      for (const holder of this.holders) await holder.announced?.(tx, projectId, person);
      // From here on no other transaction appends: every earlier event about the person is committed and can be redacted.
      await this.log.append(tx, participantEvent('deleted', toParticipant(row)));
      for (const holder of this.holders) await holder.silently?.(tx, projectId, person);
      await this.participants.erase(tx, id);
    });
    for (const holder of this.holders) await holder.erased?.(projectId, externalUserId);
  }
}
