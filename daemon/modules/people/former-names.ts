/** The ids that events and audit entries from before a move contain. */
import type { Reader, Transaction } from '../../platform/database/database.js';
import type { HeldId } from '../../platform/person-records.js';
import { type FormerIdStore, firstIdAfterMove } from './former-id-store.js';
import { type HoldingCounts, isHeld } from './holdings.js';
import type { ParticipantRow, ParticipantStore } from './store.js';

type NamedParticipant = Pick<ParticipantRow, 'id' | 'projectId' | 'externalUserId'>;

export class FormerNames {
  constructor(
    private readonly participants: Pick<ParticipantStore, 'byExternalId'>,
    private readonly formerIds: Pick<FormerIdStore, 'idsOf' | 'firstIdOf'>,
    private readonly counting: readonly HoldingCounts[],
  ) {}

  /** Choice: not an id that somebody else has since, because it would find that person's data. */
  async namesOf(reader: Reader | Transaction, { id, projectId, externalUserId }: NamedParticipant) {
    const rows = await this.formerIds.idsOf(id, reader);
    const names: { readonly id: string; readonly externalUserId: string }[] = [];
    for (const { formerId, externalUserId: former } of rows)
      if (former !== externalUserId && !(await this.isTaken(reader, projectId, former)))
        names.push({ id: formerId, externalUserId: former });
    return names;
  }

  /**
   * Returns every id that the person has or had, and which rows were made while it was theirs.
   *
   * @param person id null: they are no participant
   */
  async heldIds(
    reader: Reader | Transaction,
    person: { readonly id: string | null; readonly projectId: string; readonly externalUserId: string },
  ): Promise<HeldId[]> {
    const { id, projectId } = person;
    const rows = id === null ? [] : await this.formerIds.idsOf(id, reader);
    const own = id === null ? [] : [...new Set([id, ...rows.map(({ formerId }) => formerId)])];
    const held: HeldId[] = own.map((one) => ({ id: one, firstId: null, firstIdAfter: null }));
    const names = [
      { externalUserId: person.externalUserId, firstIdAfter: null },
      ...rows.map((row) => ({ externalUserId: row.externalUserId, firstIdAfter: firstIdAfterMove(row) })),
    ];
    for (const { externalUserId, firstIdAfter } of names) {
      const firstId = await this.formerIds.firstIdOf(reader, { projectId, externalUserId, id }, firstIdAfter);
      held.push({ id: externalUserId, firstId, firstIdAfter });
    }
    return held;
  }

  /** A move leaves nothing under the former id, so anything there belongs to somebody who came later. */
  async isTaken(reader: Reader | Transaction, projectId: string, externalUserId: string): Promise<boolean> {
    if ((await this.participants.byExternalId(projectId, externalUserId, reader)) !== null) return true;
    return isHeld(this.counting, reader, { projectId, externalUserId });
  }
}
