/** The ids that events and audit entries from before a move contain. */
import type { Reader, Transaction } from '../../platform/database/database.js';
import type { FormerIdStore } from './former-id-store.js';
import { type HoldingCounts, isHeld } from './holdings.js';
import type { ParticipantRow, ParticipantStore } from './store.js';

type NamedParticipant = Pick<ParticipantRow, 'id' | 'projectId' | 'externalUserId'>;

export class FormerNames {
  constructor(
    private readonly participants: Pick<ParticipantStore, 'byExternalId'>,
    private readonly formerIds: Pick<FormerIdStore, 'idsOf'>,
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

  /** A move leaves nothing under the former id, so anything there belongs to somebody who came later. */
  async isTaken(reader: Reader | Transaction, projectId: string, externalUserId: string): Promise<boolean> {
    if ((await this.participants.byExternalId(projectId, externalUserId, reader)) !== null) return true;
    return isHeld(this.counting, reader, { projectId, externalUserId });
  }
}
