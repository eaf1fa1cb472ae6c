/** Erases a person: every module completes a step before any module begins the next. */
import { uuidv7 } from 'uuidv7';
import { DomainError } from '../../../src/contract/errors.js';
import type { Database, Reader, Transaction } from '../../platform/database/database.js';
import type { EventLog } from '../../platform/events/log.js';
import type { ProjectGrant } from '../../platform/http/caller.js';
import type { PersonErasure } from '../../platform/module.js';
import { deletedEvent } from './events.js';
import type { FormerIdStore } from './former-id-store.js';
import { type Counting, isHeld } from './holdings.js';
import type { ParticipantRow, ParticipantStore } from './store.js';

interface ParticipantErasureNeeds {
  readonly database: Database;
  readonly log: EventLog;
  readonly participants: ParticipantStore;
  readonly formerIds: FormerIdStore;
  readonly holders: readonly PersonErasure[];
  readonly counting: readonly Counting[];
}

type Erased = Pick<ParticipantRow, 'id' | 'tenantId' | 'projectId' | 'externalUserId' | 'displayName'>;

export class ParticipantErasure {
  constructor(private readonly needs: ParticipantErasureNeeds) {}

  /** Resolves once only keyed hashes are left of the person: of bans, and for room tokens from before. Throws participant_not_found. */
  async eraseParticipant(projectId: string, id: string): Promise<void> {
    const known = await this.needs.participants.find(projectId, id);
    if (known === null) throw new DomainError('participant_not_found');
    await this.erase(known, async (tx) => {
      const row = await this.needs.participants.lock(tx, projectId, id);
      if (row === null) throw new DomainError('participant_not_found');
      return row;
    });
  }

  /**
   * The same by external user id or participant id, for everybody: whoever is no participant may have been sanctioned,
   * have played, or be named in events and in the audit log. Throws person_moved.
   */
  async erasePerson({ tenantId, projectId }: ProjectGrant, user: string): Promise<void> {
    const known = await this.knownAs(projectId, user);
    if (known !== null) return this.eraseParticipant(projectId, known.id);
    await this.refuseMoved(projectId, user);
    // Choice: announced as a participant that nobody has seen, because the log must not repeat the external user id.
    const stranger = { id: uuidv7(), tenantId, projectId, externalUserId: user, displayName: user };
    await this.erase(stranger, async (tx) => (await this.lockedByExternalId(tx, projectId, user)) ?? stranger);
  }

  private async erase(known: Erased, lock: (tx: Transaction) => Promise<Erased>): Promise<void> {
    const { projectId, externalUserId } = known;
    for (const holder of this.needs.holders) await holder.dismiss?.(projectId, externalUserId);
    const aheadTo = await this.needs.log.head();
    const former = await this.needs.database.transaction((tx) => this.namesBefore(tx, known));
    for (const one of [known, ...former])
      for (const holder of this.needs.holders) await holder.ahead?.(projectId, { ...known, ...one, aheadTo });
    await this.needs.database.transaction(async (tx) => {
      const row = await lock(tx);
      const people = [row, ...(await this.namesBefore(tx, row))].map((one) => ({ ...row, ...one, aheadTo }));
      for (const person of people)
        for (const holder of this.needs.holders) await holder.announced?.(tx, projectId, person);
      // From here on no other transaction appends: every earlier event about the person is committed and can be redacted.
      await this.needs.log.append(tx, deletedEvent(row));
      for (const person of people)
        for (const holder of this.needs.holders) await holder.silently?.(tx, projectId, person);
      await this.needs.participants.erase(tx, row.id);
    });
    for (const holder of this.needs.holders) await holder.erased?.(projectId, externalUserId);
  }

  /**
   * Who had the id before a move is not erased by it: an erasure of somebody who came later may be repeated, and must not
   * reach the one before.
   */
  private async refuseMoved(projectId: string, user: string): Promise<void> {
    const [last] = await this.needs.formerIds.had(projectId, user);
    const moved = last === undefined ? null : await this.needs.participants.find(projectId, last.participantId);
    if (moved === null) return;
    if (await this.isTaken(this.needs.database.read, projectId, user)) return;
    throw new DomainError('person_moved', { details: [{ path: 'user', message: `is ${moved.externalUserId} now` }] });
  }

  private knownAs = async (projectId: string, user: string): Promise<ParticipantRow | null> =>
    (await this.needs.participants.byExternalId(projectId, user)) ?? this.needs.participants.find(projectId, user);

  /** Who became a participant since. */
  private async lockedByExternalId(tx: Transaction, projectId: string, user: string): Promise<ParticipantRow | null> {
    const row = await this.needs.participants.byExternalId(projectId, user, tx);
    return row === null ? null : this.needs.participants.lock(tx, projectId, row.id);
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
  private async isTaken(reader: Reader | Transaction, projectId: string, externalUserId: string): Promise<boolean> {
    if ((await this.needs.participants.byExternalId(projectId, externalUserId, reader)) !== null) return true;
    return isHeld(this.needs.counting, reader, { projectId, externalUserId });
  }
}
