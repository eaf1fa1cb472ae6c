/** Invitations to gatherings: each sent once, answered by the invited person or declined when it expires. */

import { DomainError } from '../../../src/contract/errors.js';
import type {
  AcceptInvitationRequest,
  Invitation,
  InvitationStatus,
  SendInvitationsRequest,
} from '../../../src/contract/gatherings/gathering-invitations.js';
import type { JoinGatheringResponse } from '../../../src/contract/gatherings/gatherings.js';
import type { Transaction } from '../../platform/database/database.js';
import { uuidv7 } from '../../platform/ids/new-id.js';
import type { Clock } from '../../platform/time/clock.js';
import { dayMs } from '../../platform/time/spans.js';
import { type InvitationRow, invitationStatusAt, toInvitation } from './invitation-store.js';
import type { GatheringStores } from './locked-gathering.js';
import { notWaiting } from './member-store.js';
import { toGathering } from './store.js';
import type { GatheringTransactions } from './transactions.js';

const holdsForMs = 7 * dayMs;
/** Open invitations of one gathering. */
const openMax = 1_000;

export class InvitationService {
  constructor(
    private readonly transactions: GatheringTransactions,
    private readonly stores: GatheringStores,
    private readonly now: Clock,
  ) {}

  /**
   * One invitation per person; a person with an open one keeps that. Throws gathering_not_found, gathering_closed,
   * gathering_time_invalid, participant_not_found, invitation_limit_reached.
   */
  async send(projectId: string, gatheringId: string, request: SendInvitationsRequest): Promise<Invitation[]> {
    const ids = [...new Set(request.participantIds)];
    return this.transactions.withPeople(projectId, gatheringId, ids, async (locked, people) => {
      locked.refuseClosed();
      if (people.size < ids.length) throw new DomainError('participant_not_found');
      const expiresAt = new Date(request.expiresAt ?? locked.now.getTime() + holdsForMs);
      if (expiresAt <= locked.now)
        throw new DomainError('gathering_time_invalid', { message: 'expiresAt must be in the future.' });
      const { invitations, members } = this.stores;
      const open = await invitations.openTo(locked.tx, gatheringId, locked.now);
      const byPerson = new Map(open.map((row) => [row.participantId, row]));
      const sent = ids
        .flatMap((id) => (byPerson.has(id) ? [] : (people.get(id) ?? [])))
        .map(({ id: participantId, externalUserId }) => ({ gatheringId, projectId, participantId, externalUserId }));
      if (open.length + sent.length > openMax) throw new DomainError('invitation_limit_reached');
      const rows: InvitationRow[] = sent.map((who) => ({
        id: uuidv7(),
        ...who,
        status: 'pending',
        createdAt: locked.now,
        respondedAt: null,
        expiresAt,
      }));
      await invitations.insertAll(locked.tx, rows);
      const asked = { status: 'invited', joinedAt: null, leftAt: null, ...notWaiting };
      await members.invite(
        locked.tx,
        sent.map((who) => ({ id: uuidv7(), ...who, ...asked })),
      );
      for (const row of rows) {
        locked.announceInvited(row);
        byPerson.set(row.participantId, row);
      }
      return ids.flatMap((id) => {
        const row = byPerson.get(id);
        return row === undefined ? [] : [toInvitation(row, locked.now)];
      });
    });
  }

  /** Newest first. Throws gathering_not_found. */
  async list(projectId: string, gatheringId: string, status?: InvitationStatus): Promise<Invitation[]> {
    const { gatherings, invitations } = this.stores;
    if ((await gatherings.find(projectId, gatheringId)) === null) throw new DomainError('gathering_not_found');
    const now = this.now();
    return (await invitations.list(gatheringId, status, now)).map((row) => toInvitation(row, now));
  }

  /** Open ones, newest first. */
  async pending(projectId: string, participantId: string): Promise<Invitation[]> {
    const now = this.now();
    return (await this.stores.invitations.openOf(projectId, participantId, now)).map((row) => toInvitation(row, now));
  }

  /** Throws invitation_not_found, invitation_not_yours, invitation_closed, and the refusals of taking a seat. */
  async accept(
    projectId: string,
    id: string,
    { participantId }: AcceptInvitationRequest,
  ): Promise<JoinGatheringResponse> {
    const { gatheringId, participantId: invited } = await this.find(projectId, id);
    if (invited !== participantId) throw new DomainError('invitation_not_yours');
    return this.transactions.withGuest(projectId, gatheringId, participantId, async (locked, guest) => {
      await this.open(projectId, id, locked);
      const member = await locked.seat(guest, 'name');
      return { success: true, gathering: toGathering(locked.row), member, error: null };
    });
  }

  /** Throws invitation_not_found, invitation_closed. */
  async decline(projectId: string, id: string): Promise<void> {
    const { gatheringId } = await this.find(projectId, id);
    await this.transactions.withLocked(projectId, gatheringId, async (locked) => {
      await locked.withdraw([await this.open(projectId, id, locked)], locked.now);
    });
  }

  private async find(projectId: string, id: string): Promise<InvitationRow> {
    const row = await this.stores.invitations.find(projectId, id);
    if (row === null) throw new DomainError('invitation_not_found');
    return row;
  }

  private async open(
    projectId: string,
    id: string,
    { tx, now }: { tx: Transaction; now: Date },
  ): Promise<InvitationRow> {
    const row = await this.stores.invitations.find(projectId, id, tx);
    if (row === null) throw new DomainError('invitation_not_found');
    if (invitationStatusAt(row, now) !== 'pending') throw new DomainError('invitation_closed');
    return row;
  }
}
