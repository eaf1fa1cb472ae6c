/** Erases a person: every module completes a step before any module begins the next. */

import { DomainError } from '../../../src/contract/errors.js';
import type { Database, Transaction } from '../../platform/database/database.js';
import type { EventLog } from '../../platform/events/log.js';
import type { ProjectGrant } from '../../platform/http/caller.js';
import { uuidv7 } from '../../platform/ids/new-id.js';
import type { PersonErasure } from '../../platform/module.js';
import type { Clock } from '../../platform/time/clock.js';
import { deletedEvent } from './events.js';
import type { FormerIdStore } from './former-id-store.js';
import type { FormerNames } from './former-names.js';
import type { HeldErasureStore } from './held-erasure-store.js';
import { type HoldingCounts, isHeld } from './holdings.js';
import { type ParticipantRow, type ParticipantStore, searchKeyOf } from './store.js';

interface ParticipantErasureNeeds {
  readonly database: Database;
  readonly log: EventLog;
  readonly participants: ParticipantStore;
  readonly formerIds: FormerIdStore;
  readonly formerNames: FormerNames;
  readonly holders: readonly PersonErasure[];
  readonly counting: readonly HoldingCounts[];
  readonly holds: HeldErasureStore;
  readonly now: Clock;
}

type HeldParticipant = Pick<ParticipantRow, 'tenantId' | 'projectId' | 'externalUserId'>;
type Erased = Pick<ParticipantRow, 'id' | 'tenantId' | 'projectId' | 'externalUserId' | 'displayName'>;

export class ParticipantErasure {
  constructor(private readonly needs: ParticipantErasureNeeds) {}

  /** Resolves once only keyed hashes are left of the person: of bans, and for room tokens from before. Throws participant_not_found, legal_hold. */
  async eraseParticipant(projectId: string, id: string): Promise<void> {
    const known = await this.needs.participants.find(projectId, id);
    if (known === null) throw new DomainError('participant_not_found');
    await this.erase(known, async (tx) => {
      await this.needs.participants.lockIdsAlone(tx, projectId, [known.externalUserId]);
      const row = await this.needs.participants.lock(tx, projectId, id);
      if (row === null) throw new DomainError('participant_not_found');
      return row;
    });
  }

  /**
   * Erases by external user id or participant id, participant or not: anybody may have been sanctioned, have played, or
   * be named in events and in the audit log. Announced once, and only where the project holds something about them.
   * Throws person_moved, legal_hold.
   */
  async erasePerson(project: Pick<ProjectGrant, 'projectId' | 'tenantId'>, user: string): Promise<void> {
    const { tenantId, projectId } = project;
    const known = await this.knownAs(projectId, user);
    if (known !== null)
      return this.eraseParticipant(projectId, known.id).catch((error: unknown) => {
        // Another request for the same person was faster.
        if (error instanceof DomainError && error.code === 'participant_not_found')
          return this.erasePerson(project, user);
        throw error;
      });
    await this.refuseMoved(projectId, user);
    const stranger = { id: uuidv7(), tenantId, projectId, externalUserId: user, displayName: user };
    await this.erase(stranger, (tx) => this.participantOf(tx, stranger));
  }

  /** @param lock of their row; null: there is none, and nobody hears of this erasure */
  private async erase(asked: Erased, lock: (tx: Transaction) => Promise<Erased | null>): Promise<void> {
    const { projectId, externalUserId } = asked;
    await this.requireFree(asked);
    for (const holder of this.needs.holders) await holder.disconnect?.(projectId, externalUserId);
    const aheadTo = await this.needs.log.head();
    const namesOf = async (tx: Transaction, person: Erased) => {
      const heldIds = await this.needs.formerNames.heldIds(tx, person);
      const former = await this.needs.formerNames.namesOf(tx, person);
      return [person, ...former].map((one) => ({ ...person, ...one, heldIds, aheadTo }));
    };
    const names = await this.needs.database.transaction(async (tx) => namesOf(tx, (await lock(tx)) ?? asked));
    for (const one of names)
      for (const holder of this.needs.holders) {
        await this.requireFree(names[0] ?? asked, [one]); // a hold keeps the rest
        await holder.inBatches?.(projectId, one);
      }
    const held = await this.needs.database.transaction(async (tx) => {
      await this.needs.holds.takeTurn(tx, projectId);
      const row = await lock(tx);
      const people = await namesOf(tx, row ?? asked);
      if ((await this.needs.holds.find(tx, people)) !== null) return people;
      for (const person of people)
        for (const holder of this.needs.holders) await holder.beforeLog?.(tx, projectId, person);
      // From here on no other transaction appends: every earlier event about the person is committed and can be redacted.
      if (row !== null) await this.needs.log.append(tx, deletedEvent(row));
      await this.needs.log.store(tx);
      for (const person of people)
        for (const holder of this.needs.holders) await holder.afterLog?.(tx, projectId, person);
      if (row !== null) await this.needs.participants.erase(tx, row.id);
      return null;
    });
    if (held !== null) {
      await this.requireFree(names[0] ?? asked, held);
      return this.erase(asked, lock); // the hold was lifted at this moment
    }
    for (const holder of this.needs.holders) await holder.afterCommit?.(projectId, externalUserId);
  }

  /** Remembers the erasure of somebody on legal hold by one of their names. Throws legal_hold. */
  private async requireFree(person: HeldParticipant, names: readonly HeldParticipant[] = [person]): Promise<void> {
    const hold = await this.needs.holds.remember(person, names);
    if (hold === null) return;
    throw new DomainError('legal_hold', {
      message: `This person is on legal hold since ${hold.since}. The erasure was asked for at ${hold.erasureRequestedAt}, and runs once the hold is lifted.`,
      details: hold.caseIds.map((caseId) => ({ path: 'caseId', message: caseId })),
    });
  }

  /** Carries out the erasures that a legal hold stopped and nothing stops any more. Throws the first error, after all of them. */
  async runRemembered(): Promise<void> {
    const failures: unknown[] = [];
    for (let after: string | null | undefined; after !== null; ) {
      const { people, next } = await this.needs.holds.due(after);
      for (const { projectId, tenantId, externalUserId } of people)
        await this.erasePerson({ projectId, tenantId }, externalUserId).catch((error: unknown) => {
          const isHeldAnew = error instanceof DomainError && error.code === 'legal_hold';
          if (!isHeldAnew) failures.push(error);
        });
      after = next;
    }
    if (failures.length > 0) throw failures[0];
  }

  /**
   * Refuses an id whose holder has moved: an erasure of somebody who came later may be repeated, and must not reach the
   * one before.
   */
  private async refuseMoved(projectId: string, user: string): Promise<void> {
    const [last] = await this.needs.formerIds.had(projectId, user);
    const moved = last === undefined ? null : await this.needs.participants.find(projectId, last.participantId);
    if (moved === null) return;
    if (await this.needs.formerNames.isTaken(this.needs.database.read, projectId, user)) return;
    throw new DomainError('person_moved', {
      details: [{ path: 'user', message: `was moved to ${moved.externalUserId}` }],
    });
  }

  private knownAs = async (projectId: string, user: string): Promise<ParticipantRow | null> =>
    (await this.needs.participants.byExternalId(projectId, user)) ?? this.needs.participants.find(projectId, user);

  /**
   * Somebody who is no participant becomes one until the end of the erasure, unless nothing is held of them. The row is
   * deleted in the transaction that announces it, so one that was interrupted is announced when it is repeated, even if
   * all else was erased already. Choice: not announced as created, because the log must not repeat the external user id.
   */
  private async participantOf(tx: Transaction, stranger: Erased): Promise<Erased | null> {
    const { projectId, externalUserId, displayName } = stranger;
    await this.needs.participants.lockIdsAlone(tx, projectId, [externalUserId]);
    const row = await this.needs.participants.byExternalId(projectId, externalUserId, tx);
    if (row !== null) return this.needs.participants.lock(tx, projectId, row.id);
    if (!(await isHeld(this.needs.counting, tx, stranger))) return null;
    const now = this.needs.now();
    const searchKey = searchKeyOf(displayName, externalUserId);
    return this.needs.participants.insert(tx, {
      ...{ ...stranger, searchKey, userData: {}, language: null, isMinor: null },
      ...{ joinedAt: now, updatedAt: now },
    });
  }
}
