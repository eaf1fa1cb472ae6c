/** Erases a person: every module completes a step before any module begins the next. */
import { DomainError } from '../../../src/contract/errors.js';
import type { Database, Transaction } from '../../platform/database/database.js';
import type { EventLog } from '../../platform/events/log.js';
import type { PersonErasure, PersonMoveSteps } from '../../platform/module.js';
import { participantEvent } from './events.js';
import type { FormerIdStore } from './former-id-store.js';
import { type ParticipantRow, type ParticipantStore, toParticipant } from './store.js';

interface ParticipantErasureNeeds {
  readonly database: Database;
  readonly log: EventLog;
  readonly participants: ParticipantStore;
  readonly formerIds: FormerIdStore;
  readonly holders: readonly PersonErasure[];
  readonly counting: readonly Pick<PersonMoveSteps, 'count'>[];
}

export class ParticipantErasure {
  constructor(private readonly needs: ParticipantErasureNeeds) {}

  /** Resolves once only keyed hashes are left of the person: of bans, and for room tokens from before. Throws participant_not_found. */
  async erase(projectId: string, id: string): Promise<void> {
    const known = await this.needs.participants.find(projectId, id);
    if (known === null) throw new DomainError('participant_not_found');
    const { externalUserId } = known;
    for (const holder of this.needs.holders) await holder.dismiss?.(projectId, externalUserId);
    const aheadTo = await this.needs.log.head();
    const former = await this.needs.database.transaction((tx) => this.namesBefore(tx, known));
    for (const one of [known, ...former])
      for (const holder of this.needs.holders) await holder.ahead?.(projectId, { ...known, ...one, aheadTo });
    await this.needs.database.transaction(async (tx) => {
      const row = await this.needs.participants.lock(tx, projectId, id);
      if (row === null) throw new DomainError('participant_not_found');
      const people = [row, ...(await this.namesBefore(tx, row))].map((one) => ({ ...row, ...one, aheadTo }));
      for (const person of people)
        for (const holder of this.needs.holders) await holder.announced?.(tx, projectId, person);
      // From here on no other transaction appends: every earlier event about the person is committed and can be redacted.
      await this.needs.log.append(tx, participantEvent('deleted', toParticipant(row)));
      for (const person of people)
        for (const holder of this.needs.holders) await holder.silently?.(tx, projectId, person);
      await this.needs.participants.erase(tx, id);
    });
    for (const holder of this.needs.holders) await holder.erased?.(projectId, externalUserId);
  }

  /**
   * The ids that events and entries from before a move contain. Choice: not an id that somebody else has since, because
   * it would find that person's data.
   */
  private async namesBefore(
    tx: Transaction,
    { id, projectId, externalUserId }: Pick<ParticipantRow, 'id' | 'projectId' | 'externalUserId'>,
  ) {
    const rows = await this.needs.formerIds.of(id, tx);
    const names = [];
    for (const { formerId, externalUserId: former } of rows)
      if (former !== externalUserId && !(await this.isTaken(tx, projectId, former)))
        names.push({ id: formerId, externalUserId: former });
    return names;
  }

  /** A move leaves nothing under the former id, so anything there belongs to somebody who came later. */
  private async isTaken(tx: Transaction, projectId: string, externalUserId: string): Promise<boolean> {
    if ((await this.needs.participants.byExternalId(projectId, externalUserId, tx)) !== null) return true;
    for (const holder of this.needs.counting) {
      const counts = await holder.count?.(tx, { projectId, externalUserId });
      if (counts !== undefined && Object.values(counts).some((count) => count > 0)) return true;
    }
    return false;
  }
}
