/** Gatherings: created, found, shown and changed. */

import { DomainError } from '../../../src/contract/errors.js';
import type { GatheringListQuery } from '../../../src/contract/gatherings/gathering-search.js';
import type {
  CreateGatheringRequest,
  Gathering,
  GatheringListResponse,
  UpdateGatheringRequest,
} from '../../../src/contract/gatherings/gatherings.js';
import type { PersonGathering } from '../../../src/contract/people/person.js';
import { dateOrNull } from '../../platform/database/column-values.js';
import type { ProjectGrant } from '../../platform/http/caller.js';
import { uuidv7 } from '../../platform/ids/new-id.js';
import type { CodeLookup } from './code-lookup.js';
import type { GatheringInvitationEmails } from './invitation-emails.js';
import { makeJoinCode } from './join-code.js';
import type { GatheringStores, LockedGathering } from './locked-gathering.js';
import { hasSeat, memberStatusOf } from './member-store.js';
import type { GatheringMemberService } from './members.js';
import { refuseBackwards, refuseSanctioned, statusesOf } from './rules.js';
import { type GatheringRow, toGathering } from './store.js';
import type { GatheringTransactions } from './transactions.js';

export class GatheringService {
  constructor(
    private readonly transactions: GatheringTransactions,
    private readonly stores: Pick<GatheringStores, 'gatherings' | 'members'>,
    private readonly codes: CodeLookup,
    private readonly members: GatheringMemberService,
    private readonly emails: GatheringInvitationEmails,
  ) {}

  /** Throws gathering_time_invalid, participant_not_found, participant_banned, party_restricted, rate_limited. */
  async create(
    { tenantId, projectId }: ProjectGrant,
    createdByUserId: string,
    request: CreateGatheringRequest,
  ): Promise<Gathering> {
    refuseBackwards(dateOrNull(request.startsAt), dateOrNull(request.endsAt));
    const newRow = (createdAt: Date) => created({ tenantId, projectId, createdByUserId, createdAt }, request);
    // The transaction returns the answer itself: that is what is stored under an Idempotency-Key.
    return this.emails.during(tenantId, addressesOf(request), (send) =>
      this.transactions.creating(newRow, async (locked) => {
        const { row } = locked;
        this.transactions.afterCommit(locked, () => send(row));
        return toGathering(row);
      }),
    );
  }

  async list(projectId: string, query: GatheringListQuery): Promise<GatheringListResponse> {
    const { limit, offset, after, status, ...others } = query;
    const statuses = status === undefined ? undefined : statusesOf(status);
    const filter = { ...others, statuses };
    const [rows, total] = await Promise.all([
      this.stores.gatherings.list(projectId, filter, { limit, offset, after }),
      this.stores.gatherings.count(projectId, filter),
    ]);
    return { gatherings: rows.map(toGathering), total, limit, offset };
  }

  /** Returns the gatherings in which the participant has a seat now, newest first. */
  async ofMember(projectId: string, participantId: string): Promise<PersonGathering[]> {
    const seats = await this.stores.members.seatsOf(projectId, participantId);
    return seats.map((seat) => {
      const { id, name, status, joinCode, roomId } = toGathering(seat.gathering);
      return { id, name, status, joinCode, roomId, memberStatus: memberStatusOf(seat) };
    });
  }

  /** Throws gathering_not_found. */
  async get(projectId: string, id: string, includeMembers: boolean): Promise<Gathering> {
    const row = await this.stores.gatherings.find(projectId, id);
    if (row === null) throw new DomainError('gathering_not_found');
    const gathering = toGathering(row);
    if (!includeMembers) return gathering;
    return { ...gathering, members: await this.members.shownOf(projectId, id, row.ownerId) };
  }

  /** Throws join_code_unknown, participant_not_found, rate_limited. */
  async lookup(projectId: string, callerId: string, joinCode: string, participantId?: string): Promise<Gathering> {
    if (participantId === undefined) return toGathering(await this.codes.find(projectId, { callerId }, joinCode));
    await this.transactions.person(projectId, participantId);
    return toGathering(await this.codes.find(projectId, { participantId }, joinCode));
  }

  /**
   * Throws gathering_not_found, gathering_closed, gathering_too_small, gathering_time_invalid, member_not_found,
   * party_restricted, rate_limited.
   */
  async update({ tenantId, projectId }: ProjectGrant, id: string, request: UpdateGatheringRequest): Promise<Gathering> {
    const change = async (locked: LockedGathering): Promise<Gathering> => {
      locked.refuseClosed();
      if (request.maxMembers !== undefined && request.maxMembers < locked.row.memberCount)
        throw new DomainError('gathering_too_small');
      if (request.maxMembers !== undefined) await this.refuseOutgrown(locked, request.maxMembers);
      const fields = changed(locked.row, request);
      refuseBackwards(fields.startsAt ?? null, fields.endsAt ?? null);
      const owner = request.ownerId === undefined ? null : await locked.member(request.ownerId);
      if (owner !== null && !hasSeat(owner)) throw new DomainError('member_not_found');
      await locked.change(owner === null ? fields : { ...fields, ownerId: await locked.requireOwner(owner) });
      return toGathering(locked.row);
    };
    return this.emails.during(tenantId, addressesOf(request), (send) =>
      this.transactions.withLocked(projectId, id, async (locked) => {
        const changed = await change(locked);
        const { row } = locked;
        this.transactions.afterCommit(locked, () => send(row));
        return changed;
      }),
    );
  }

  /** A gathering does not grow around a member who is limited to small ones. Throws party_restricted. */
  private async refuseOutgrown(locked: LockedGathering, maxMembers: number): Promise<void> {
    if (maxMembers <= locked.row.maxMembers) return;
    const seated = await this.stores.members.seated(locked.tx, locked.row.id);
    const people = seated.map(({ externalUserId }) => externalUserId);
    for (const inForce of (await locked.inForceAgainst(people)).values())
      refuseSanctioned(
        inForce.filter(({ type }) => type === 'party_restriction'),
        maxMembers,
      );
  }
}

const addressesOf = ({ participants = [] }: Pick<UpdateGatheringRequest, 'participants'>): string[] => [
  ...new Set(participants.map(({ email }) => email)),
];

type Origin = Pick<GatheringRow, 'tenantId' | 'projectId' | 'createdByUserId' | 'createdAt'>;

function created(origin: Origin, request: CreateGatheringRequest): GatheringRow {
  const joinCode = makeJoinCode();
  return {
    id: uuidv7(),
    ...origin,
    name: request.name,
    description: request.description ?? null,
    type: request.type,
    status: 'CREATED',
    maxMembers: request.maxMembers,
    memberCount: 0,
    accessPolicy: request.accessPolicy,
    listed: request.listed,
    startsAt: dateOrNull(request.startsAt),
    endsAt: dateOrNull(request.endsAt),
    timezone: request.timezone ?? null,
    roomId: request.roomId ?? joinCode,
    autoStartSession: request.autoStartSession,
    sessionId: null,
    joinCode,
    properties: request.properties ?? null,
    searchProperties: request.searchProperties ?? null,
    ownerId: request.ownerId ?? null,
    inviterName: request.inviterName ?? null,
    inviterEmail: request.inviterEmail ?? null,
    invitationUrl: request.invitationUrl ?? null,
    updatedAt: origin.createdAt,
    emptySince: origin.createdAt,
  };
}

/** The gathering's fields after the request; absent fields stay. */
function changed(row: GatheringRow, request: UpdateGatheringRequest): Partial<GatheringRow> {
  const { properties, searchProperties, startsAt, endsAt, roomId, participants: _, ...plain } = request;
  return {
    ...Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined)),
    startsAt: startsAt === undefined ? row.startsAt : dateOrNull(startsAt),
    endsAt: endsAt === undefined ? row.endsAt : dateOrNull(endsAt),
    ...(roomId === undefined ? {} : { roomId: roomId ?? row.joinCode }),
    ...(properties === undefined ? {} : { properties }),
    ...(searchProperties === undefined ? {} : { searchProperties }),
  };
}
