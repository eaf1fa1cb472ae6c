/** Who is in a gathering: joining, leaving, ready marks, ownership (contract, sections 4 and 5). */
import { DomainError } from '../../../src/contract/errors.js';
import type {
  AddMemberRequest,
  GatheringMember,
  MemberStatus,
  UpdateMemberRequest,
} from '../../../src/contract/gatherings/gathering-members.js';
import type { JoinGatheringRequest, JoinGatheringResponse } from '../../../src/contract/gatherings/gatherings.js';
import type { CodeLookup } from './code-lookup.js';
import type { GatheringDesk } from './desk.js';
import type { HeldGathering, Person } from './held.js';
import { hasSeat, type MemberRow, notWaiting, toMember } from './member-store.js';
import { seatWish } from './rules.js';
import { type GatheringRow, toGathering } from './store.js';

export class GatheringMemberService {
  constructor(
    private readonly desk: GatheringDesk,
    private readonly codes: CodeLookup,
  ) {}

  /** Throws join_code_unknown, rate_limited, participant_not_found, and what keeps somebody from a seat. */
  async join(
    projectId: string,
    callerId: string,
    { joinCode, participantId }: JoinGatheringRequest,
  ): Promise<JoinGatheringResponse> {
    const { id } = await this.codes.find(projectId, callerId, joinCode);
    const guest = await this.desk.guest(projectId, participantId);
    return this.desk.holding(projectId, id, async (held) => {
      const member = await held.seat(guest, 'code');
      return { success: true, gathering: toGathering(held.row), member, error: null };
    });
  }

  /** Throws gathering_not_found, participant_not_found, and what keeps somebody from a seat. */
  async add(projectId: string, id: string, { participantId, role }: AddMemberRequest): Promise<GatheringMember> {
    await this.gathering(projectId, id);
    const guest = await this.desk.guest(projectId, participantId);
    return this.desk.holding(projectId, id, async (held) => {
      const { id: memberId } = await held.seat(guest, 'name');
      const member = await held.member(memberId);
      if (role === 'owner') await held.setRole(member, 'owner');
      return held.shown(member, guest.person);
    });
  }

  /** Throws gathering_not_found. */
  async list(projectId: string, id: string, status?: MemberStatus): Promise<GatheringMember[]> {
    const { ownerId } = await this.gathering(projectId, id);
    return this.shownOf(projectId, id, ownerId, status);
  }

  /** The members of a gathering that is known to be there. */
  async shownOf(
    projectId: string,
    id: string,
    ownerId: string | null,
    status?: MemberStatus,
  ): Promise<GatheringMember[]> {
    const rows = await this.desk.stores.members.list(id, status);
    const people = await this.desk.known(
      projectId,
      rows.map(({ participantId }) => participantId),
    );
    return rows.flatMap((row) => {
      const person = people.get(row.participantId);
      return person === undefined ? [] : [toMember(row, person.displayName, ownerId)];
    });
  }

  /**
   * By the id of the member or of the participant. Throws gathering_not_found, member_not_found, member_change_invalid,
   * owner_required, gathering_closed, and what keeps an invited one from a seat.
   */
  async update(projectId: string, id: string, either: string, request: UpdateMemberRequest): Promise<GatheringMember> {
    const wish = seatWish(request);
    await this.gathering(projectId, id);
    const known = await this.desk.stores.members.find(id, either);
    if (known === null) throw new DomainError('member_not_found');
    const guest = await this.desk.guest(projectId, known.participantId);
    return this.desk.holding(projectId, id, async (held) => {
      held.refuseClosed();
      if (wish.seat === 'take') await held.seat(guest, 'name');
      let member = await held.member(either);
      if (wish.seat === 'leave') return this.left(held, member, guest.person);
      if (!hasSeat(member))
        throw new DomainError('member_change_invalid', {
          message: 'This one is invited and has no seat yet. Send status joined first.',
        });
      if (wish.ready !== null) member = await held.markReady(member, guest, wish.ready);
      if (request.role !== undefined) await held.setRole(member, request.role);
      return held.shown(member, guest.person);
    });
  }

  /** By the id of the member or of the participant. Throws gathering_not_found, member_not_found, gathering_closed. */
  async remove(projectId: string, id: string, either: string): Promise<void> {
    await this.desk.holding(projectId, id, async (held) => {
      const member = await held.member(either);
      held.refuseClosed();
      await held.leave(member, await this.desk.person(projectId, member.participantId, held.tx));
    });
  }

  private async left(held: HeldGathering, member: MemberRow, person: Person): Promise<GatheringMember> {
    await held.leave(member, person);
    return held.shown({ ...member, status: 'left', leftAt: held.now, ...notWaiting }, person);
  }

  private async gathering(projectId: string, id: string): Promise<GatheringRow> {
    const row = await this.desk.stores.gatherings.find(projectId, id);
    if (row === null) throw new DomainError('gathering_not_found');
    return row;
  }
}
