/** Members of a gathering: joining, leaving, ready marks, ownership. */
import { DomainError } from '../../../src/contract/errors.js';
import type {
  AddMemberRequest,
  GatheringMember,
  MemberStatus,
  UpdateMemberRequest,
} from '../../../src/contract/gatherings/gathering-members.js';
import type { JoinGatheringRequest, JoinGatheringResponse } from '../../../src/contract/gatherings/gatherings.js';
import type { CodeLookup } from './code-lookup.js';
import type { GatheringPerson, GatheringStores, LockedGathering } from './locked-gathering.js';
import { hasSeat, type MemberRow, notWaiting, toMember } from './member-store.js';
import { seatRequest } from './rules.js';
import { type GatheringRow, toGathering } from './store.js';
import type { GatheringPeople, GatheringTransactions } from './transactions.js';

export class GatheringMemberService {
  constructor(
    private readonly transactions: GatheringTransactions,
    private readonly stores: Pick<GatheringStores, 'gatherings' | 'members'>,
    private readonly people: GatheringPeople,
    private readonly codes: CodeLookup,
  ) {}

  /** Throws join_code_unknown, rate_limited, participant_not_found, and the refusals of taking a seat. */
  async join(projectId: string, { joinCode, participantId }: JoinGatheringRequest): Promise<JoinGatheringResponse> {
    await this.transactions.person(projectId, participantId);
    const { id } = await this.codes.find(projectId, { participantId }, joinCode);
    return this.transactions.withGuest(projectId, id, participantId, async (locked, guest) => {
      const member = await locked.seat(guest, 'code');
      return { success: true, gathering: toGathering(locked.row), member, error: null };
    });
  }

  /** Throws gathering_not_found, participant_not_found, and the refusals of taking a seat. */
  async add(projectId: string, id: string, { participantId, role }: AddMemberRequest): Promise<GatheringMember> {
    await this.gathering(projectId, id);
    return this.transactions.withGuest(projectId, id, participantId, async (locked, guest) => {
      const { id: memberId } = await locked.seat(guest, 'name');
      const member = await locked.member(memberId);
      if (role === 'owner') await locked.setRole(member, 'owner');
      return locked.shown(member, guest.person);
    });
  }

  /** Throws gathering_not_found. */
  async list(projectId: string, id: string, status?: MemberStatus): Promise<GatheringMember[]> {
    const { ownerId } = await this.gathering(projectId, id);
    return this.shownOf(projectId, id, ownerId, status);
  }

  /** The members of a gathering that is known to exist. */
  async shownOf(
    projectId: string,
    id: string,
    ownerId: string | null,
    status?: MemberStatus,
  ): Promise<GatheringMember[]> {
    const rows = await this.stores.members.list(id, status);
    const ids = rows.map(({ participantId }) => participantId);
    const people = new Map((await this.people.byIds(projectId, ids)).map((person) => [person.id, person]));
    return rows.flatMap((row) => {
      const person = people.get(row.participantId);
      return person === undefined ? [] : [toMember(row, person.displayName, ownerId)];
    });
  }

  /**
   * By the id of the member or of the participant. Throws gathering_not_found, member_not_found, member_change_invalid,
   * owner_required, gathering_closed, and the refusals of taking a seat.
   */
  async update(projectId: string, id: string, either: string, request: UpdateMemberRequest): Promise<GatheringMember> {
    const wanted = seatRequest(request);
    await this.gathering(projectId, id);
    const known = await this.stores.members.find(id, either);
    if (known === null) throw new DomainError('member_not_found');
    return this.transactions.withGuest(projectId, id, known.participantId, async (locked, guest) => {
      locked.refuseClosed();
      if (wanted.seat === 'take') await locked.seat(guest, 'name');
      let member = await locked.member(either);
      if (wanted.seat === 'leave') return this.left(locked, member, guest.person);
      if (!hasSeat(member))
        throw new DomainError('member_change_invalid', {
          message: 'This person is invited and has no seat yet. Send status joined first.',
        });
      if (wanted.ready !== null) member = await locked.markReady(member, guest, wanted.ready);
      if (request.role !== undefined) await locked.setRole(member, request.role);
      return locked.shown(member, guest.person);
    });
  }

  /**
   * Frees the seat of a member, by the id of the member or of the participant, and gives them one in another gathering.
   * Throws gathering_not_found, member_not_found, member_change_invalid, gathering_closed, and the refusals of taking a seat.
   */
  async moveMember(projectId: string, id: string, either: string, targetId: string): Promise<GatheringMember> {
    if (id === targetId)
      throw new DomainError('member_change_invalid', {
        message: 'The member is already in that gathering. Name another gathering.',
      });
    await this.gathering(projectId, id);
    const known = await this.stores.members.find(id, either);
    if (known === null) throw new DomainError('member_not_found');
    return this.transactions.between(
      projectId,
      { from: id, to: targetId },
      known.participantId,
      async (from, to, guest) => {
        const member = await from.member(either);
        from.refuseClosed();
        if (!hasSeat(member))
          throw new DomainError('member_change_invalid', {
            message: 'This person has no seat to leave. Add them to the other gathering.',
          });
        await from.leave(member, guest.person);
        return to.seat(guest, 'name');
      },
    );
  }

  /** By the id of the member or of the participant. Throws gathering_not_found, member_not_found, gathering_closed. */
  async remove(projectId: string, id: string, either: string): Promise<void> {
    await this.gathering(projectId, id);
    const known = await this.stores.members.find(id, either);
    if (known === null) throw new DomainError('member_not_found');
    await this.transactions.withGuest(projectId, id, known.participantId, async (locked, { person }) => {
      const member = await locked.member(either);
      locked.refuseClosed();
      await locked.leave(member, person);
    });
  }

  private async left(locked: LockedGathering, member: MemberRow, person: GatheringPerson): Promise<GatheringMember> {
    await locked.leave(member, person);
    return locked.shown({ ...member, status: 'left', leftAt: locked.now, ...notWaiting }, person);
  }

  private async gathering(projectId: string, id: string): Promise<GatheringRow> {
    const row = await this.stores.gatherings.find(projectId, id);
    if (row === null) throw new DomainError('gathering_not_found');
    return row;
  }
}
