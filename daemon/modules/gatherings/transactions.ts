/** Transactions that change gatherings: the row locked, and the events announced with the change or not at all. */
import { DomainError } from '../../../src/contract/errors.js';
import type { Database, Transaction } from '../../platform/database/database.js';
import type { EventLog } from '../../platform/events/log.js';
import type { Clock } from '../../platform/time/clock.js';
import {
  type ActiveSanctions,
  type GatheringPerson,
  type GatheringStores,
  type Guest,
  LockedGathering,
} from './locked-gathering.js';
import type { GatheringRow } from './store.js';

/** Participants of the project; unknown ids are left out. */
export interface GatheringPeople {
  /** In a transaction nobody erases or moves them until its end. */
  byIds(projectId: string, ids: readonly string[], tx?: Transaction): Promise<readonly GatheringPerson[]>;
}

interface GatheringTransactionsNeeds {
  readonly database: Database;
  readonly log: EventLog;
  readonly stores: GatheringStores;
  readonly people: GatheringPeople;
  readonly sanctions: ActiveSanctions;
  readonly now: Clock;
}

export class GatheringTransactions {
  constructor(private readonly needs: GatheringTransactionsNeeds) {}

  /** Works on one gathering. Throws gathering_not_found, and what the work throws: then nothing has changed. */
  async withLocked<T>(projectId: string, id: string, work: (locked: LockedGathering) => Promise<T>): Promise<T> {
    return this.needs.database.transaction((tx) => this.withLockedIn(tx, projectId, id, work));
  }

  /** As `withLocked`, within the caller's transaction. */
  async withLockedIn<T>(
    tx: Transaction,
    projectId: string,
    id: string,
    work: (locked: LockedGathering) => Promise<T>,
  ): Promise<T> {
    return this.finish(await this.locked(tx, projectId, id), work);
  }

  private async locked(tx: Transaction, projectId: string, id: string): Promise<LockedGathering> {
    const row = await this.needs.stores.gatherings.lock(tx, projectId, id);
    if (row === null) throw new DomainError('gathering_not_found');
    const { stores, sanctions, now } = this.needs;
    return new LockedGathering(tx, row, stores, sanctions, now());
  }

  /** As `withLocked`, with a participant. Throws participant_not_found too. */
  async withGuest<T>(
    projectId: string,
    id: string,
    participantId: string,
    work: (locked: LockedGathering, guest: Guest) => Promise<T>,
  ): Promise<T> {
    return this.needs.database.transaction(async (tx) => {
      // First the person, then the gathering, as an erasure does.
      const person = await this.person(projectId, participantId, tx);
      return this.withLockedIn(tx, projectId, id, async (locked) => work(locked, await this.guest(locked, person)));
    });
  }

  /** Works on two gatherings for a participant. Throws gathering_not_found, participant_not_found, and what the work throws. */
  async between<T>(
    projectId: string,
    { from, to }: { readonly from: string; readonly to: string },
    participantId: string,
    work: (from: LockedGathering, to: LockedGathering, guest: Guest) => Promise<T>,
  ): Promise<T> {
    return this.needs.database.transaction(async (tx) => {
      const person = await this.person(projectId, participantId, tx);
      // In the order of their ids, so that two moves in opposite directions do not wait for each other.
      const isInOrder = from < to;
      const first = await this.locked(tx, projectId, isInOrder ? from : to);
      const second = await this.locked(tx, projectId, isInOrder ? to : from);
      const [source, target] = isInOrder ? [first, second] : [second, first];
      const result = await work(source, target, await this.guest(target, person));
      await this.needs.log.append(tx, ...source.events, ...target.events);
      return result;
    });
  }

  /** As `withLocked`, with the existing people among the ids, by id. */
  async withPeople<T>(
    projectId: string,
    id: string,
    participantIds: readonly string[],
    work: (locked: LockedGathering, people: ReadonlyMap<string, GatheringPerson>) => Promise<T>,
  ): Promise<T> {
    return this.needs.database.transaction(async (tx) => {
      const people = await this.known(projectId, participantIds, tx);
      return this.withLockedIn(tx, projectId, id, (locked) => work(locked, people));
    });
  }

  /**
   * Creates a gathering, seats its owner where it has one, and works on it. Each try asks for a new row. Throws
   * participant_not_found, participant_banned, party_restricted.
   */
  async creating<T>(
    newRow: (createdAt: Date) => GatheringRow,
    work: (locked: LockedGathering) => Promise<T>,
  ): Promise<T> {
    return this.needs.database.transaction(async (tx) => {
      const row = newRow(this.needs.now());
      const owner = row.ownerId === null ? null : await this.person(row.projectId, row.ownerId, tx);
      const locked = new LockedGathering(
        tx,
        await this.needs.stores.gatherings.insert(tx, row),
        this.needs.stores,
        this.needs.sanctions,
        row.createdAt,
      );
      locked.announceCreated();
      return this.finish(locked, async () => {
        if (owner !== null) await locked.seat(await this.guest(locked, owner), 'name');
        return work(locked);
      });
    });
  }

  /** Calls `hook` once the change to the gathering is committed. */
  afterCommit({ tx }: LockedGathering, hook: () => void): void {
    this.needs.database.afterCommit(tx, hook);
  }

  /** Throws participant_not_found. */
  async person(projectId: string, id: string, tx?: Transaction): Promise<GatheringPerson> {
    const [person] = await this.needs.people.byIds(projectId, [id], tx);
    if (person === undefined) throw new DomainError('participant_not_found');
    return person;
  }

  /** Returns the existing people among the ids, by id. */
  private async known(
    projectId: string,
    ids: readonly string[],
    tx?: Transaction,
  ): Promise<Map<string, GatheringPerson>> {
    return new Map((await this.needs.people.byIds(projectId, ids, tx)).map((person) => [person.id, person]));
  }

  private async guest(locked: LockedGathering, person: GatheringPerson): Promise<Guest> {
    const { externalUserId } = person;
    return { person, inForce: (await locked.inForceAgainst([externalUserId])).get(externalUserId) ?? [] };
  }

  private async finish<T>(locked: LockedGathering, work: (locked: LockedGathering) => Promise<T>): Promise<T> {
    const result = await work(locked);
    await this.needs.log.append(locked.tx, ...locked.events);
    return result;
  }
}
