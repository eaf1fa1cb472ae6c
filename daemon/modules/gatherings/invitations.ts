/** Invitations to gatherings: sent once each, answered by the invited one or by the clock (contract, sections 4 and 5). */
import { uuidv7 } from 'uuidv7';
import { DomainError } from '../../../src/contract/errors.js';
import type {
  AcceptInvitationRequest,
  Invitation,
  SendInvitationsRequest,
} from '../../../src/contract/gatherings/gathering-invitations.js';
import type { JoinGatheringResponse } from '../../../src/contract/gatherings/gatherings.js';
import type { Transaction } from '../../platform/database/database.js';
import type { GatheringDesk } from './desk.js';
import { type InvitationRow, invitationStatusAt, toInvitation } from './invitation-store.js';
import { notWaiting } from './member-store.js';
import { toGathering } from './store.js';

const holdsForMs = 7 * 86_400_000;
/** Open invitations of one gathering. */
const openMax = 1_000;

export class InvitationService {
  constructor(private readonly desk: GatheringDesk) {}

  /**
   * One invitation for each; whoever has an open one keeps it. Throws gathering_not_found, gathering_closed,
   * gathering_time_invalid, participant_not_found, invitation_limit_reached.
   */
  async send(projectId: string, gatheringId: string, request: SendInvitationsRequest): Promise<Invitation[]> {
    const ids = [...new Set(request.participantIds)];
    const people = await this.desk.known(projectId, ids);
    return this.desk.holding(projectId, gatheringId, async (held) => {
      held.refuseClosed();
      if (people.size < ids.length) throw new DomainError('participant_not_found');
      const expiresAt = new Date(request.expiresAt ?? held.now.getTime() + holdsForMs);
      if (expiresAt <= held.now)
        throw new DomainError('gathering_time_invalid', { message: 'expiresAt must lie ahead.' });
      const { invitations, members } = this.desk.stores;
      const open = await invitations.openTo(held.tx, gatheringId, held.now);
      const byPerson = new Map(open.map((row) => [row.participantId, row]));
      const sent = ids
        .flatMap((id) => (byPerson.has(id) ? [] : (people.get(id) ?? [])))
        .map(({ id: participantId, externalUserId }) => ({ gatheringId, projectId, participantId, externalUserId }));
      if (open.length + sent.length > openMax) throw new DomainError('invitation_limit_reached');
      const rows: InvitationRow[] = sent.map((who) => ({
        id: uuidv7(),
        ...who,
        status: 'pending',
        createdAt: held.now,
        respondedAt: null,
        expiresAt,
      }));
      await invitations.insertAll(held.tx, rows);
      const asked = { status: 'invited', joinedAt: null, leftAt: null, ...notWaiting };
      await members.invite(
        held.tx,
        sent.map((who) => ({ id: uuidv7(), ...who, ...asked })),
      );
      for (const row of rows) {
        held.tellInvited(row);
        byPerson.set(row.participantId, row);
      }
      return ids.flatMap((id) => {
        const row = byPerson.get(id);
        return row === undefined ? [] : [toInvitation(row, held.now)];
      });
    });
  }

  /** Newest first. Throws gathering_not_found. */
  async list(projectId: string, gatheringId: string): Promise<Invitation[]> {
    const { gatherings, invitations } = this.desk.stores;
    if ((await gatherings.find(projectId, gatheringId)) === null) throw new DomainError('gathering_not_found');
    const now = this.desk.now();
    return (await invitations.list(gatheringId)).map((row) => toInvitation(row, now));
  }

  /** Open ones, newest first. */
  async pending(projectId: string, participantId: string): Promise<Invitation[]> {
    const now = this.desk.now();
    return (await this.desk.stores.invitations.openOf(projectId, participantId, now)).map((row) =>
      toInvitation(row, now),
    );
  }

  /** Throws invitation_not_found, invitation_not_yours, invitation_closed, and what keeps somebody from a seat. */
  async accept(
    projectId: string,
    id: string,
    { participantId }: AcceptInvitationRequest,
  ): Promise<JoinGatheringResponse> {
    const { gatheringId, participantId: invited } = await this.find(projectId, id);
    if (invited !== participantId) throw new DomainError('invitation_not_yours');
    const guest = await this.desk.guest(projectId, participantId);
    return this.desk.holding(projectId, gatheringId, async (held) => {
      await this.open(projectId, id, held);
      const member = await held.seat(guest, 'name');
      return { success: true, gathering: toGathering(held.row), member, error: null };
    });
  }

  /** Throws invitation_not_found, invitation_closed. */
  async decline(projectId: string, id: string): Promise<void> {
    const { gatheringId } = await this.find(projectId, id);
    await this.desk.holding(projectId, gatheringId, async (held) => {
      await held.withdraw([await this.open(projectId, id, held)], held.now);
    });
  }

  private async find(projectId: string, id: string): Promise<InvitationRow> {
    const row = await this.desk.stores.invitations.find(projectId, id);
    if (row === null) throw new DomainError('invitation_not_found');
    return row;
  }

  private async open(
    projectId: string,
    id: string,
    { tx, now }: { tx: Transaction; now: Date },
  ): Promise<InvitationRow> {
    const row = await this.desk.stores.invitations.find(projectId, id, tx);
    if (row === null) throw new DomainError('invitation_not_found');
    if (invitationStatusAt(row, now) !== 'pending') throw new DomainError('invitation_closed');
    return row;
  }
}
