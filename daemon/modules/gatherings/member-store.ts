/** Rows of members: one per gathering and participant, kept when they leave. */

import {
  type GatheringMember,
  type MemberStatus,
  memberStatuses,
} from '../../../src/contract/gatherings/gathering-members.js';
import { addTo } from '../../platform/collections/add-to.js';
import { timeOrNull } from '../../platform/database/column-values.js';
import type { Database, Reader, Transaction } from '../../platform/database/database.js';
import { projectInReach } from '../../platform/database/in-reach.js';
import { atOnce, whileThere } from '../../platform/scheduler/due-work.js';
import { openStates, seatedStates } from './rules.js';
import { gatheringStatements } from './sql.js';
import { type DuePage, type GatheringRow, toRow } from './store.js';

export interface MemberRow {
  readonly id: string;
  readonly gatheringId: string;
  readonly projectId: string;
  readonly participantId: string;
  readonly externalUserId: string;
  readonly status: string;
  readonly joinedAt: Date | null;
  readonly leftAt: Date | null;
  /** When a delayed ready mark takes effect. */
  readonly readyAt: Date | null;
  /** When the ready mark was asked for. */
  readonly readyAskedAt: Date | null;
}

export const memberStatusOf = (row: Pick<MemberRow, 'status'>): MemberStatus =>
  memberStatuses.find((status) => status === row.status) ?? 'left';
export const hasSeat = (row: Pick<MemberRow, 'status'>): boolean => seatedStates.includes(memberStatusOf(row));

export const toMember = (row: MemberRow, displayName: string, ownerId: string | null): GatheringMember => ({
  id: row.id,
  gatheringId: row.gatheringId,
  participantId: row.participantId,
  displayName,
  role: row.participantId === ownerId ? 'owner' : 'member',
  status: memberStatusOf(row),
  ready: row.status === 'ready',
  readyAt: timeOrNull(row.readyAt),
  joinedAt: timeOrNull(row.joinedAt),
  leftAt: timeOrNull(row.leftAt),
});

/** The fields of a member whose ready mark is not waiting. */
export const notWaiting = { readyAt: null, readyAskedAt: null } as const;

/** Seats of one person that are shown at once. */
const seatsMax = 50;
/** Members shown at once; there are fewer seats, but people who were invited or have left have rows too. */
const shownMax = 1_000;

export class MemberStore {
  constructor(private readonly database: Database) {}

  /** Returns the row of a participant, also of one who has left. */
  findParticipant = (gatheringId: string, participantId: string, reader: Reader | Transaction = this.database.read) =>
    reader.gatheringMember.findUnique({ where: { gatheringId_participantId: { gatheringId, participantId } } });

  /** Returns the gatherings in which the participant has a seat now, newest first. */
  async seatsOf(projectId: string, participantId: string): Promise<(MemberRow & { gathering: GatheringRow })[]> {
    const seats = await this.database.read.gatheringMember.findMany({
      where: {
        projectId,
        participantId,
        status: { in: seatedStates },
        gathering: { status: { in: openStates } },
      },
      orderBy: { id: 'desc' },
      include: { gathering: true },
      take: seatsMax,
    });
    return seats.map((seat) => ({ ...seat, gathering: toRow(seat.gathering) }));
  }

  /** Returns those of these people who have seats in one open gathering, for each such gathering. */
  async sharingSeats(
    reader: Reader | Transaction,
    projectId: string,
    externalUserIds: readonly string[],
  ): Promise<string[][]> {
    const seats = await reader.gatheringMember.findMany({
      where: {
        projectId,
        externalUserId: { in: [...externalUserIds] },
        status: { in: seatedStates },
        gathering: { status: { in: openStates } },
      },
      select: { gatheringId: true, externalUserId: true },
    });
    const groups = new Map<string, string[]>();
    for (const { gatheringId, externalUserId } of seats) addTo(groups, gatheringId, externalUserId);
    return [...groups.values()];
  }

  /** By the id of the member or of the participant; those who left are not members. */
  find = (gatheringId: string, either: string, reader: Reader | Transaction = this.database.read) =>
    reader.gatheringMember.findFirst({
      where: { gatheringId, status: { not: 'left' }, OR: [{ id: either }, { participantId: either }] },
    });

  /** Members with seats first, the longest there first. */
  async list(gatheringId: string, status?: MemberStatus): Promise<MemberRow[]> {
    const { read } = this.database;
    const states = seatedStates.filter((state) => status === undefined || state === status);
    const seated = states.length === 0 ? [] : await this.seated(read, gatheringId, { status: { in: states } });
    if (status !== undefined && states.length > 0) return seated;
    const where = { gatheringId, status: status ?? 'invited' };
    const take = shownMax - seated.length;
    return [...seated, ...(await read.gatheringMember.findMany({ where, orderBy: { id: 'asc' }, take }))];
  }

  /** Members with a seat, all or some, the longest there first. */
  seated = (
    reader: Reader | Transaction,
    gatheringId: string,
    some: { readonly status?: { in: string[] }; readonly participantId?: { not: string } } = {},
  ): Promise<MemberRow[]> =>
    reader.gatheringMember.findMany({
      where: { gatheringId, status: { in: seatedStates }, ...some },
      orderBy: [{ joinedAt: 'asc' }, { id: 'asc' }],
    });

  insert = (tx: Transaction, row: MemberRow) => tx.gatheringMember.create({ data: row });

  update = (tx: Transaction, id: string, fields: Partial<MemberRow>) =>
    tx.gatheringMember.update({ where: { id }, data: fields });

  delete = (tx: Transaction, id: string) => tx.gatheringMember.delete({ where: { id } });

  ofAll = (tx: Transaction, gatheringId: string, participantIds: readonly string[]): Promise<MemberRow[]> =>
    tx.gatheringMember.findMany({ where: { gatheringId, participantId: { in: [...participantIds] } } });

  /** Invites those without a row, and those who have left, whose row still says when they were there. */
  async invite(tx: Transaction, rows: readonly MemberRow[]): Promise<void> {
    const [first] = rows;
    if (first === undefined) return;
    const { gatheringId, status } = first;
    const present = await this.ofAll(
      tx,
      gatheringId,
      rows.map(({ participantId }) => participantId),
    );
    const known = new Set(present.map(({ participantId }) => participantId));
    const past = present.filter((row) => row.status === 'left').map(({ id }) => id);
    await tx.gatheringMember.updateMany({ where: { id: { in: past } }, data: { status } });
    await tx.gatheringMember.createMany({ data: rows.filter(({ participantId }) => !known.has(participantId)) });
  }

  /** People who were invited and have no seat are no longer waited for; who was there before has left again. */
  async removeInvited(tx: Transaction, gatheringId: string, participantIds: readonly string[]): Promise<void> {
    const where = { gatheringId, status: 'invited', participantId: { in: [...participantIds] } };
    await tx.gatheringMember.updateMany({ where: { ...where, leftAt: { not: null } }, data: { status: 'left' } });
    await tx.gatheringMember.deleteMany({ where });
  }

  /** Cancels waiting ready marks. */
  stopWaiting = (tx: Transaction, gatheringId: string) =>
    tx.$executeRawUnsafe(gatheringStatements[this.database.dialect].stopWaiting, gatheringId);

  /** Seats of a person whose ready mark is held back. */
  waiting = (projectId: string, externalUserId: string) =>
    this.database.read.gatheringMember.findMany({
      where: { projectId, externalUserId, readyAt: { not: null } },
      orderBy: { id: 'asc' },
    });

  /** Members whose ready mark takes effect now, and those whose mark was asked for after `askedAfter`. */
  dueReady = (now: Date, askedAfter: Date, page: DuePage) =>
    this.database.read.gatheringMember.findMany({
      where: {
        OR: [{ readyAt: { lte: now } }, { readyAskedAt: { gt: askedAfter } }],
        gathering: { project: projectInReach },
      },
      orderBy: [{ readyAt: 'asc' }, { id: 'asc' }],
      ...page,
    });

  /** Waiting marks are looked at again and again: a clock that is set back moves them too. */
  nextDue = whileThere(async () => {
    const where = { readyAt: { gt: atOnce }, gathering: { project: projectInReach } };
    return (await this.database.read.gatheringMember.findFirst({ where, select: { id: true } })) !== null;
  });

  /** Always in the same order, in which their gatherings are locked. */
  ofPerson = (tx: Transaction, projectId: string, externalUserId: string): Promise<MemberRow[]> =>
    tx.gatheringMember.findMany({ where: { projectId, externalUserId }, orderBy: { gatheringId: 'asc' } });
}
