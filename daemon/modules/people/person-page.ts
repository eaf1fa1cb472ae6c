/** One person on one page, put together from what the modules know; each part needs its own scope. */
import { DomainError } from '../../../src/contract/errors.js';
import type { Sanction } from '../../../src/contract/moderation/sanction-record.js';
import type { Participant } from '../../../src/contract/people/participants.js';
import {
  lastWordsMax,
  type Person,
  type PersonGathering,
  type PersonRoom,
  pastMax,
} from '../../../src/contract/people/person.js';
import type { Room, RoomListQuery } from '../../../src/contract/rooms/rooms.js';
import type { RequiredScope } from '../../../src/contract/scopes.js';
import type { Message } from '../../../src/contract/sessions/sessions.js';
import { hasScope, mayActAs } from '../../platform/http/authorisation.js';
import type { Member, ProjectGrant } from '../../platform/http/caller.js';
import type { ParticipantDirectory } from './directory.js';
import type { ParticipantNotes } from './notes.js';

/** Reads of other modules about a person. */
export interface PersonSources {
  readonly sanctions: {
    /** Newest first, with how many there are. */
    part(
      projectId: string,
      wanted: { externalUserId: string; isInForce: boolean },
      reader: { moderator: boolean; accounts: boolean },
      page: { limit?: number | undefined; offset: number },
    ): Promise<{ sanctions: Sanction[]; total: number }>;
  };
  readonly rooms: { list(projectId: string, wanted: RoomListQuery): Promise<Room[]> };
  readonly gatherings: { ofMember(projectId: string, participantId: string): Promise<PersonGathering[]> };
  readonly words: { lastOf(projectId: string, externalUserId: string, limit: number): Promise<Message[]> };
  readonly play: { progress(projectId: string, userId: string): Promise<NonNullable<Person['progress']>> };
  readonly actors: {
    /** Names of users and API keys, by id. */
    names(tenantId: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  };
}

export class PersonPage {
  constructor(
    private readonly participants: Pick<ParticipantDirectory, 'byEither' | 'formerly' | 'formerIdsOf'>,
    private readonly notes: Pick<ParticipantNotes, 'list'>,
    private readonly sources: PersonSources,
    /** True if the project holds anything about the person. */
    private readonly isHeld: (projectId: string, externalUserId: string) => Promise<boolean>,
    private readonly legalHoldOf: (one: { projectId: string; externalUserId: string }) => Promise<Person['legalHold']>,
  ) {}

  /** @param user external user id or participant id, or one of before a move. Throws participant_not_found. */
  async read(project: ProjectGrant, caller: Member, user: string): Promise<Person> {
    const known = await this.participants.byEither(project.projectId, user);
    const page = await this.pageOf(project, caller, user, known);
    if (page !== null) return page;
    const moved = await this.participants.formerly(project.projectId, user);
    const under = moved === null ? null : await this.pageOf(project, caller, moved.externalUserId, moved);
    if (under === null) throw new DomainError('participant_not_found');
    return under;
  }

  /** null: nothing is known of them. */
  private async pageOf(
    project: ProjectGrant,
    caller: Member,
    user: string,
    participant: Participant | null,
  ): Promise<Person | null> {
    const { projectId } = project;
    const externalUserId = participant?.externalUserId ?? user;
    const part = <T>(scope: RequiredScope, read: () => Promise<T>): Promise<T | null> =>
      hasScope(caller, scope) ? read() : Promise.resolve(null);
    const { sources } = this;
    const reader = {
      moderator: mayActAs('moderator', caller, project, 'sanctions'),
      accounts: hasScope(caller, 'users:read'),
    };
    const sanctionsOf = (isInForce: boolean, limit?: number) =>
      sources.sanctions.part(projectId, { externalUserId, isInForce }, reader, { limit, offset: 0 });
    const [inForce, ended, notes, rooms, gatherings, lastWords, progress, legalHold] = await Promise.all([
      part('sanctions:read', () => sanctionsOf(true)),
      part('sanctions:read', () => sanctionsOf(false, pastMax)),
      this.notesFor(project, caller, participant),
      part('sessions:read', () => this.roomsOf(projectId, externalUserId)),
      part('gatherings:read', async () =>
        participant === null ? [] : sources.gatherings.ofMember(projectId, participant.id),
      ),
      part('messages:read', () => sources.words.lastOf(projectId, externalUserId, lastWordsMax)),
      part('gameplay:read', () => sources.play.progress(projectId, externalUserId)),
      part('reports:read', () => this.legalHoldOf({ projectId, externalUserId })),
    ]);
    const sanctions = [...(inForce?.sanctions ?? []), ...(ended?.sanctions ?? [])];
    if (participant === null && !isKnown(sanctions, progress)) {
      // Callers who may see what a move would take along.
      const maySee = mayActAs('moderator', caller, project, 'participants');
      if (!maySee || !(await this.isHeld(projectId, externalUserId))) return null;
    }
    const ids = [...sanctions.flatMap(({ revokedByUserId }) => revokedByUserId)];
    const writers = [...ids, ...(notes ?? []).map((one) => one.createdByUserId)].filter((id) => id !== null);
    const names = await part('users:read', () => sources.actors.names(project.tenantId, writers));
    const named = (id: string | null) => (id === null ? null : (names?.get(id) ?? null));
    const withNames = (some: { sanctions: Sanction[] } | null) =>
      some?.sanctions.map((one) => ({
        ...one,
        imposedBy: one.createdBy ?? null,
        revokedBy: named(one.revokedByUserId),
      })) ?? null;
    return {
      formerIds: participant === null ? [] : await this.participants.formerIdsOf(participant),
      externalUserId,
      participant,
      rooms,
      gatherings,
      lastWords,
      progress,
      legalHold,
      active: withNames(inForce),
      past: withNames(ended),
      pastTotal: ended?.total ?? null,
      notes: notes?.map((one) => ({ ...one, writtenBy: named(one.createdByUserId) })) ?? null,
    };
  }

  private async notesFor(project: ProjectGrant, caller: Member, participant: Participant | null) {
    if (!mayActAs('moderator', caller, project, 'participants')) return null;
    return participant === null ? [] : this.notes.list(project.projectId, participant.id);
  }

  private async roomsOf(projectId: string, externalUserId: string): Promise<PersonRoom[]> {
    const rooms = await this.sources.rooms.list(projectId, { externalUserId });
    return rooms.flatMap(({ roomId, sessionId, peers, muted: mutedRoom, closed }) =>
      peers
        .filter((peer) => peer.externalUserId === externalUserId)
        .map(({ publishing, muted }) => ({
          ...{ roomId, sessionId, publishing, muted },
          restrictions: { muted: mutedRoom, closed },
        })),
    );
  }
}

/** True if anything is known about somebody who is no participant. */
const isKnown = (sanctions: readonly Sanction[], progress: Person['progress']): boolean =>
  sanctions.length > 0 ||
  (progress !== null && (progress.challenges.some(({ counter }) => counter > 0) || progress.battlePasses.length > 0));
