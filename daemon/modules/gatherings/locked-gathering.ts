/**
 * One gathering, locked for the length of a transaction: seats are given, freed and counted only here, so the last seat
 * is given once under any concurrency. Events are collected and announced at the end, in order.
 */

import { DomainError } from '../../../src/contract/errors.js';
import type { Membership } from '../../../src/contract/events.js';
import type { GatheringMember } from '../../../src/contract/gatherings/gathering-members.js';
import type { Transaction } from '../../platform/database/database.js';
import { changesBetween } from '../../platform/events/log.js';
import type { NewEvent } from '../../platform/events/logged.js';
import { uuidv7 } from '../../platform/ids/new-id.js';
import type { MovingPerson } from '../../platform/moving-person.js';
import type { SanctionInForce } from '../moderation/sanctions/in-force.js';
import type { InvitationRow, InvitationStore } from './invitation-store.js';
import { toInvitation } from './invitation-store.js';
import { hasSeat, type MemberRow, type MemberStore, notWaiting, toMember } from './member-store.js';
import { markAfter, noMark, type ReadyMark } from './ready-mark.js';
import { afterMove, isBanned, isOpen, type Move, readyDelayMs, refuseBanned, refuseSanctioned } from './rules.js';
import { type GatheringRow, type GatheringStore, statusOf, toGathering } from './store.js';

/** The part of a participant that gatherings show. */
export interface GatheringPerson {
  readonly id: string;
  readonly externalUserId: string;
  readonly displayName: string;
}

/** The sanctions in force now, by external user id; people without any are left out. */
export interface ActiveSanctions {
  inForceAgainst(
    tx: Transaction,
    projectId: string,
    externalUserIds: readonly string[],
  ): Promise<ReadonlyMap<string, readonly SanctionInForce[]>>;
}

/** The person asking for a seat, with the sanctions in force against them. */
export interface Guest {
  readonly person: GatheringPerson;
  readonly inForce: readonly SanctionInForce[];
}

export interface GatheringStores {
  readonly gatherings: GatheringStore;
  readonly members: MemberStore;
  readonly invitations: InvitationStore;
}

type GatheringEvent = 'created' | 'updated' | 'started' | 'ended' | 'cancelled' | 'expired';
const eventOf: Readonly<Record<Move, GatheringEvent>> = {
  start: 'started',
  end: 'ended',
  cancel: 'cancelled',
  expire: 'expired',
};

export class LockedGathering {
  /** Events to announce at the end. */
  readonly events: NewEvent[] = [];

  constructor(
    readonly tx: Transaction,
    private locked: GatheringRow,
    private readonly stores: GatheringStores,
    private readonly sanctions: ActiveSanctions,
    readonly now: Date,
  ) {}

  get row(): GatheringRow {
    return this.locked;
  }

  /** Throws gathering_closed. */
  refuseClosed(): void {
    if (!isOpen(statusOf(this.locked))) throw new DomainError('gathering_closed');
  }

  announceCreated(): void {
    this.announce('gathering.created', 'created', toGathering(this.locked));
  }

  /** Changes fields of the gathering; announced when a visible field differs. */
  async change(fields: Partial<GatheringRow>, event: GatheringEvent = 'updated'): Promise<void> {
    const before = toGathering(this.locked);
    const differs = changesBetween(before, toGathering({ ...this.locked, ...fields })) !== undefined;
    await this.store(differs ? { ...fields, updatedAt: this.now } : fields);
    const after = toGathering(this.locked);
    if (differs) this.announce(`gathering.${event}`, 'updated', after, changesBetween(before, after));
  }

  /**
   * Changes the state. Closing also withdraws open invitations and waiting ready marks, and is announced last. Throws
   * gathering_closed.
   */
  async transition(move: Move, fields: Partial<GatheringRow> = {}): Promise<void> {
    const before = statusOf(this.locked);
    const status = afterMove(before, move);
    if (status === before) return;
    if (!isOpen(status)) {
      await this.withdraw(await this.stores.invitations.unanswered(this.tx, this.locked.id), this.now);
      await this.stores.members.stopWaiting(this.tx, this.locked.id);
    }
    await this.change({ ...fields, status }, eventOf[move]);
  }

  /** By the id of the member or of the participant. Throws member_not_found. */
  async member(either: string): Promise<MemberRow> {
    const row = await this.stores.members.find(this.locked.id, either, this.tx);
    if (row === null) throw new DomainError('member_not_found');
    return row;
  }

  /**
   * Gives the guest a seat, or finds the one that they have. By code, an invite-only gathering admits only people with
   * an open invitation, which is then accepted. Throws gathering_closed, participant_banned, party_restricted,
   * gathering_full, gathering_invite_only.
   */
  async seat({ person, inForce }: Guest, by: 'code' | 'name'): Promise<GatheringMember> {
    this.refuseClosed();
    const { id, projectId, accessPolicy, maxMembers, memberCount } = this.locked;
    const before = await this.stores.members.findParticipant(id, person.id, this.tx);
    const isNew = before === null || !hasSeat(before);
    if (isNew) refuseSanctioned(inForce, maxMembers);
    if (isNew && memberCount >= maxMembers) throw new DomainError('gathering_full');
    const open = await this.stores.invitations.openTo(this.tx, id, this.now, person.id);
    if (isNew && by === 'code' && accessPolicy === 'invite-only' && open.length === 0)
      throw new DomainError('gathering_invite_only');
    await this.answer(open, 'accepted', this.now);
    if (!isNew) return this.shown(before, person);

    const seated = { status: 'joined', joinedAt: this.now, leftAt: null, ...notWaiting };
    const after =
      before === null
        ? await this.stores.members.insert(this.tx, {
            id: uuidv7(),
            gatheringId: id,
            projectId,
            participantId: person.id,
            externalUserId: person.externalUserId,
            ...seated,
          })
        : await this.stores.members.update(this.tx, before.id, seated);
    const earlier = before === null ? null : this.membership(before, person);
    await this.store({ memberCount: memberCount + 1, emptySince: null });
    this.announceMember('joined', after, person, earlier);
    if (this.locked.ownerId === null) await this.change({ ownerId: person.id });
    return this.shown(after, person);
  }

  /** Frees the seat, or withdraws the invitation of a person without a seat. */
  async leave(member: MemberRow, person: GatheringPerson): Promise<void> {
    const { invitations, members } = this.stores;
    await this.withdraw(await invitations.unansweredBy(this.tx, this.locked.id, [person.id]), this.now);
    if (!hasSeat(member)) return;
    const earlier = this.membership(member, person);
    const after = await members.update(this.tx, member.id, { status: 'left', leftAt: this.now, ...notWaiting });
    const { ownerId } = this.locked;
    await this.store(this.oneSeatLess());
    this.announceMember('left', after, person, earlier);
    if (ownerId === person.id) await this.change({ ownerId: await this.heir(person.id) });
  }

  /** Frees the seat of a person who is being erased; the gathering is announced as changed, without naming them. */
  async erase(member: MemberRow): Promise<void> {
    if (!hasSeat(member)) return;
    const isOwner = this.locked.ownerId === member.participantId;
    const heir = isOwner ? { ownerId: await this.heir(member.participantId) } : {};
    await this.change({ ...this.oneSeatLess(), ...heir });
  }

  /**
   * Makes one membership of those of two people who become one: the one with a seat, else the one of who was here, since the
   * first of both came. Their open invitations become one, or are accepted by the seat.
   */
  async join(own: MemberRow, other: MemberRow, { id, to }: Pick<MovingPerson, 'id' | 'to'>): Promise<void> {
    const { invitations, members } = this.stores;
    const isOwn = hasSeat(own) || (!hasSeat(other) && own.joinedAt !== null);
    const [kept, doubled] = isOwn ? [own, other] : [other, own];
    const times = [own.joinedAt, other.joinedAt].filter((time) => time !== null).map((time) => time.getTime());
    await members.delete(this.tx, doubled.id);
    await members.update(this.tx, kept.id, {
      joinedAt: times.length === 0 ? null : new Date(Math.min(...times)),
      status: !hasSeat(kept) && [own, other].some(({ status }) => status === 'invited') ? 'invited' : kept.status,
    });
    const people = [own.participantId, other.participantId];
    const open = (await invitations.unansweredBy(this.tx, this.locked.id, people))
      .map((row) => ({ ...row, participantId: id, externalUserId: to }))
      .sort((a, b) => b.expiresAt.getTime() - a.expiresAt.getTime());
    if (hasSeat(kept)) await this.answer(open, 'accepted', this.now);
    else await this.answer(open.slice(1), 'declined', this.now);
  }

  /** Sets or clears the ready mark; a queue_delay postpones it. Throws participant_banned. */
  async markReady(member: MemberRow, guest: Guest, ready: boolean): Promise<MemberRow> {
    const { inForce } = guest;
    const isMarked = member.status === 'ready' || member.readyAt !== null;
    if (ready === isMarked) return member;
    if (ready) refuseBanned(inForce);
    return this.setReady(member, guest, ready ? markAfter(readyDelayMs(inForce), this.now, this.now) : noMark);
  }

  /** A mark that waited takes no effect for somebody who was banned meanwhile. */
  async setReady(member: MemberRow, { person, inForce }: Guest, mark: ReadyMark): Promise<MemberRow> {
    const after = await this.stores.members.update(this.tx, member.id, isBanned(inForce) ? noMark : mark);
    this.announceMember('ready', after, person, this.membership(member, person));
    return after;
  }

  /**
   * Makes the member owner; role `member` hands over to the one who has been there longest. Throws owner_required,
   * participant_banned.
   */
  async setRole(member: MemberRow, role: 'owner' | 'member'): Promise<void> {
    const { participantId } = member;
    if ((this.locked.ownerId === participantId) === (role === 'owner')) return;
    const ownerId = role === 'owner' ? await this.requireOwner(member) : await this.heir(participantId);
    if (ownerId === null) throw new DomainError('owner_required');
    await this.change({ ownerId });
  }

  /** Returns the id of the participant. Throws participant_banned. */
  async requireOwner({ participantId, externalUserId }: MemberRow): Promise<string> {
    refuseBanned((await this.inForceAgainst([externalUserId])).get(externalUserId) ?? []);
    return participantId;
  }

  /** Sanctions in force, read while the gathering is locked. */
  inForceAgainst = (externalUserIds: readonly string[]) =>
    this.sanctions.inForceAgainst(this.tx, this.locked.projectId, externalUserIds);

  /** Answers invitations and announces it; `respondedAt` null: they expired unanswered. */
  async answer(
    rows: readonly InvitationRow[],
    status: 'accepted' | 'declined',
    respondedAt: Date | null,
  ): Promise<void> {
    const after = await this.stores.invitations.answer(this.tx, rows, status, respondedAt);
    for (const row of after)
      this.announce(
        `gathering.invitation.${status}`,
        'updated',
        toInvitation(row, this.now),
        { status: 'pending', ...(respondedAt === null ? {} : { respondedAt: null }) },
        row.externalUserId,
      );
  }

  /** Declines invitations; people with neither a seat nor another invitation are no longer members. */
  async withdraw(rows: readonly InvitationRow[], respondedAt: Date | null): Promise<void> {
    if (rows.length === 0) return;
    await this.answer(rows, 'declined', respondedAt);
    const people = rows.map(({ participantId }) => participantId);
    const open = await this.stores.invitations.unansweredBy(this.tx, this.locked.id, people);
    const stillAsked = new Set(open.map(({ participantId }) => participantId));
    const noMore = people.filter((id) => !stillAsked.has(id));
    await this.stores.members.removeInvited(this.tx, this.locked.id, noMore);
  }

  announceInvited(row: InvitationRow): void {
    this.announce('gathering.invitation.sent', 'created', toInvitation(row, this.now), undefined, row.externalUserId);
  }

  shown(row: MemberRow, { displayName }: GatheringPerson): GatheringMember {
    return toMember(row, displayName, this.locked.ownerId);
  }

  private async store(fields: Partial<GatheringRow>): Promise<void> {
    this.locked = await this.stores.gatherings.update(this.tx, this.locked, fields);
  }

  private oneSeatLess(): Pick<GatheringRow, 'memberCount' | 'emptySince'> {
    const memberCount = this.locked.memberCount - 1;
    return { memberCount, emptySince: memberCount === 0 ? this.now : null };
  }

  /** Returns the participant with a seat who has been there longest and is not banned. */
  private async heir(besides: string): Promise<string | null> {
    const others = await this.stores.members.seated(this.tx, this.locked.id, { participantId: { not: besides } });
    const inForce = await this.inForceAgainst(others.map(({ externalUserId }) => externalUserId));
    const heir = others.find(({ externalUserId }) => !isBanned(inForce.get(externalUserId) ?? []));
    return heir?.participantId ?? null;
  }

  private membership(row: MemberRow, person: GatheringPerson): Membership {
    return { gatheringId: this.locked.id, memberCount: this.locked.memberCount, member: this.shown(row, person) };
  }

  private announceMember(
    what: 'joined' | 'ready' | 'left',
    row: MemberRow,
    person: GatheringPerson,
    before: Membership | null,
  ): void {
    const after = this.membership(row, person);
    this.announce(
      `gathering.member.${what}`,
      before === null ? 'created' : 'updated',
      after,
      before === null ? undefined : changesBetween(before, after),
      person.externalUserId,
    );
  }

  /** Choice: whatever happens in a gathering is announced under `gathering:<id>`, so one filter follows all of it. */
  private announce(
    type: string,
    action: 'created' | 'updated',
    data: unknown,
    changes?: Readonly<Record<string, unknown>>,
    subjectUserId: string | null = null,
  ): void {
    const { id, tenantId, projectId } = this.locked;
    const resourceId = `gathering:${id}`;
    this.events.push({
      type,
      tenantId,
      projectId,
      resourceId,
      action,
      data,
      ...(changes === undefined ? {} : { changes }),
      subjectUserId,
    });
  }
}
