/**
 * Moves everything known of a person to another external user id, in one transaction: all modules state what stands in the
 * way before any changes a row. A preview is the same transaction, not committed.
 */
import { DomainError } from '../../../src/contract/errors.js';
import { notesMax } from '../../../src/contract/people/participant-records.js';
import type { Participant } from '../../../src/contract/people/participants.js';
import {
  conflictsMax,
  type MoveConflict,
  MovedCounts,
  type PersonMove,
  type PersonMovePreview,
} from '../../../src/contract/people/person-moves.js';
import type { Database, Transaction } from '../../platform/database/database.js';
import type { EventLog } from '../../platform/events/log.js';
import type { ProjectGrant } from '../../platform/http/caller.js';
import { uuidv7 } from '../../platform/ids/new-id.js';
import type { KnownPerson, PersonMoveSteps } from '../../platform/module.js';
import type { MovingPerson } from '../../platform/moving-person.js';
import type { Clock } from '../../platform/time/clock.js';
import type { ParticipantDirectory } from './directory.js';
import { deletedEvent, movedEvent } from './events.js';
import type { FormerIdStore } from './former-id-store.js';
import { differingFields, joinedFields } from './joined-fields.js';
import type { NoteStore } from './note-store.js';
import { type ParticipantRow, type ParticipantStore, searchKeyOf, toParticipant } from './store.js';

const nothing: MovedCounts = {
  sanctions: 0,
  activeSanctions: 0,
  reviews: 0,
  notes: 0,
  messages: 0,
  gatherings: 0,
  invitations: 0,
  challenges: 0,
  battlePasses: 0,
  leaderboards: 0,
  gameEvents: 0,
};

interface MoveStores {
  readonly participants: ParticipantStore;
  readonly notes: NoteStore;
  readonly formerIds: FormerIdStore;
}

interface RequestedMove {
  /** External user id or participant id. */
  readonly user: string;
  readonly to: string;
  /** Something is stored under the id, even if nothing that a preview counts. */
  readonly isNamed?: boolean;
}

interface Planned {
  readonly person: MovingPerson;
  readonly joined: ParticipantRow | null;
  readonly moved: MovedCounts;
  readonly isNew: boolean;
  readonly conflicts: readonly MoveConflict[];
}

/** Ends the transaction of a preview. */
class NotCommitted extends Error {
  constructor(readonly preview: PersonMovePreview) {
    super('A preview changes nothing.');
  }
}

interface PersonMovesNeeds {
  readonly database: Database;
  readonly log: EventLog;
  readonly directory: Pick<ParticipantDirectory, 'ensure' | 'byEither'>;
  readonly stores: MoveStores;
  readonly holders: readonly PersonMoveSteps[];
  /** True if anything is stored of somebody, of what a preview does not count too. */
  readonly isKnown: (projectId: string, externalUserId: string) => Promise<boolean>;
  readonly now: Clock;
}

export class PersonMoves {
  constructor(private readonly needs: PersonMovesNeeds) {}

  /** Throws participant_not_found, person_move_to_self. */
  async preview(project: ProjectGrant, request: RequestedMove): Promise<PersonMovePreview> {
    const asked = await this.withPresence(project, request);
    try {
      return await this.needs.database.transaction(async (tx) => {
        const plan = await this.plan(tx, project, asked);
        const conflicts = plan.conflicts.slice(0, conflictsMax);
        if (conflicts.length === 0) throw new NotCommitted({ ...(await this.carryOut(tx, plan)), conflicts });
        const row = await this.needs.stores.participants.find(project.projectId, plan.person.id, tx);
        if (row === null) throw new DomainError('participant_not_found');
        const participant = toParticipant(row);
        throw new NotCommitted({ ...toMove(plan, participant, participant), conflicts });
      });
    } catch (error) {
      if (error instanceof NotCommitted) return error.preview;
      throw error;
    }
  }

  /** Throws participant_not_found, person_move_to_self, person_move_conflict. */
  async movePerson(project: ProjectGrant, request: RequestedMove): Promise<PersonMove> {
    const asked = await this.withPresence(project, request);
    const { plan, move } = await this.needs.database.transaction(async (tx) => {
      const plan = await this.plan(tx, project, asked);
      if (plan.conflicts.length > 0) {
        const named = plan.conflicts.slice(0, conflictsMax);
        const details = named.map(({ resourceId, message }) => ({ path: resourceId, message }));
        throw new DomainError('person_move_conflict', { details });
      }
      const { id, joinedId, from } = plan.person;
      const move = await this.carryOut(tx, plan);
      if (joinedId !== null && plan.joined !== null) await this.needs.log.append(tx, deletedEvent(plan.joined));
      await this.needs.log.append(tx, movedEvent({ ...move.participant, id, movedFrom: from, joinedId }));
      return { plan, move };
    });
    for (const holder of this.needs.holders) await holder.afterCommit?.(plan.person);
    return move;
  }

  /** Somebody who has just joined a room for the first time is stored moments later, perhaps by another daemon. */
  private async withPresence({ projectId }: ProjectGrant, asked: RequestedMove): Promise<RequestedMove> {
    const { directory, holders } = this.needs;
    if (asked.isNamed === true || (await directory.byEither(projectId, asked.user)) !== null) return asked;
    for (const holder of holders)
      if (await holder.isPresent?.(projectId, asked.user)) return { ...asked, isNamed: true };
    return asked;
  }

  private async plan(tx: Transaction, project: ProjectGrant, asked: RequestedMove): Promise<Planned> {
    const { projectId } = project;
    const { user, to, isNamed = false } = asked;
    const { participants, notes } = this.needs.stores;
    const { known, from } = await this.lock(tx, projectId, { user, to });
    const counted = await this.counts(tx, { projectId, externalUserId: from });
    // Sanctioned or playing, and never in a room or a gathering.
    const isStranger = known === null && !isNamed && isEmpty(counted);
    if (isStranger && !(await this.needs.isKnown(projectId, from))) throw new DomainError('participant_not_found');
    const { id } = known ?? (await this.needs.directory.ensure(tx, { ...project, externalUserId: from }));
    const joined = await participants.byExternalId(projectId, to, tx);
    const person = { projectId, id, from, to, joinedId: joined?.id ?? null };
    const conflicts: MoveConflict[] = [];
    for (const holder of this.needs.holders) conflicts.push(...((await holder.obstacles?.(tx, person)) ?? []));
    const [own, joining] = [await notes.count(tx, id), joined === null ? 0 : await notes.count(tx, joined.id)];
    if (own + joining > notesMax)
      conflicts.push({ resourceId: `participant:${id}`, message: `both have notes, together more than ${notesMax}` });
    const isNew = joined === null && isEmpty(await this.counts(tx, { projectId, externalUserId: to }));
    const moved = { ...counted, notes: own };
    return { person, joined, moved, isNew, conflicts };
  }

  /**
   * Finds the person and holds both ids alone, as the first lock of the transaction: whoever writes about a person holds
   * their id, so what is read from here on stays until the end. Throws person_move_to_self.
   */
  private async lock(tx: Transaction, projectId: string, { user, to }: RequestedMove) {
    const { participants } = this.needs.stores;
    const find = async () =>
      (await participants.byExternalId(projectId, user, tx)) ?? (await participants.find(projectId, user, tx));
    for (let before = await find(); ; ) {
      const from = before?.externalUserId ?? user;
      if (from === to) throw new DomainError('person_move_to_self');
      await participants.lockIdsAlone(tx, projectId, [from, to]);
      const known = await find();
      if (known?.id === before?.id && (known?.externalUserId ?? user) === from) return { known, from };
      before = known; // they were moved or erased in the meantime
    }
  }

  private async counts(tx: Transaction, person: KnownPerson): Promise<MovedCounts> {
    const found: Record<string, number> = {};
    for (const holder of this.needs.holders) Object.assign(found, await holder.count?.(tx, person));
    return MovedCounts.parse({ ...nothing, ...found });
  }

  private async carryOut(tx: Transaction, plan: Planned): Promise<PersonMove> {
    const { person, joined } = plan;
    const { projectId, id, from, to } = person;
    const { participants, formerIds } = this.needs.stores;
    for (const holder of this.needs.holders) await holder.merge?.(tx, person);
    const movedAt = this.needs.now();
    const left = { projectId, participantId: id, movedAt, firstIdAfter: null };
    if (joined !== null) {
      await formerIds.takeOver(tx, id, joined.id);
      await formerIds.add(tx, { ...left, externalUserId: to, formerId: joined.id });
      await participants.erase(tx, joined.id);
    }
    await formerIds.add(tx, { ...left, externalUserId: from, formerId: id });
    // Behind the entry of the move itself.
    const freed = joined === null ? [from] : [from, to];
    this.needs.database.beforeCommit(tx, () => formerIds.setFirstIdAfter(tx, id, freed, uuidv7()));
    const row = await participants.find(projectId, id, tx);
    if (row === null) throw new DomainError('participant_not_found');
    const before = toParticipant(row);
    // A person who was never given a name is called by their id.
    const renamed = { ...before, displayName: before.displayName === from ? to : before.displayName };
    const {
      minor: isMinor,
      joinedAt,
      ...fields
    } = joined === null ? renamed : { ...renamed, ...joinedFields(before, toParticipant(joined)) };
    const after = await participants.update(tx, id, {
      ...{ ...fields, isMinor, joinedAt: new Date(joinedAt), externalUserId: to, updatedAt: movedAt },
      searchKey: searchKeyOf(fields.displayName, to),
    });
    return toMove(plan, before, toParticipant(after));
  }
}

const isEmpty = (counts: MovedCounts): boolean => Object.values(counts).every((count) => count === 0);

function toMove(
  { person: { from, to }, joined: row, isNew, moved }: Planned,
  before: Participant,
  participant: Participant,
): PersonMove {
  const joined = row === null ? null : toParticipant(row);
  const differing = joined === null ? [] : differingFields(before, joined);
  return { from, to, participant, joined, isNew, moved, differing };
}
