/** Rows of gatherings. A change locks the row first, so that only one transaction at a time counts seats. */

import { type GatheringListQuery, gatheringTypes } from '../../../src/contract/gatherings/gathering-search.js';
import {
  accessPolicies,
  type Gathering,
  type GatheringStatus,
  gatheringStatuses,
} from '../../../src/contract/gatherings/gatherings.js';
import { jsonOrNull, oneOf, timeOrNull, type WithValues, withJson } from '../../platform/database/column-values.js';
import type { Database, Transaction } from '../../platform/database/database.js';
import { asLostRace } from '../../platform/database/errors.js';
import { projectInReach } from '../../platform/database/in-reach.js';
import { madeWithin } from '../../platform/database/made-within.js';
import { newestFirst, type RowPage } from '../../platform/database/row-page.js';
import { atOnce } from '../../platform/scheduler/due-work.js';
import { dueAt, expiresAt, openStates, seatedStates, type Timing } from './rules.js';
import { gatheringRows, gatheringStatements } from './sql.js';

/** A part of what is due, in order. */
export interface DuePage {
  readonly take: number;
  /** Number of due rows to skip, because they could not be handled before. */
  readonly skip: number;
}

export interface GatheringRow {
  readonly id: string;
  readonly tenantId: string;
  readonly projectId: string;
  readonly name: string;
  readonly description: string | null;
  readonly type: string;
  readonly status: string;
  readonly maxMembers: number;
  readonly memberCount: number;
  readonly accessPolicy: string;
  readonly listed: boolean;
  readonly startsAt: Date | null;
  readonly endsAt: Date | null;
  readonly timezone: string | null;
  readonly roomId: string;
  readonly autoStartSession: boolean;
  readonly sessionId: string | null;
  readonly joinCode: string;
  readonly properties: Gathering['properties'];
  readonly searchProperties: Gathering['searchProperties'];
  readonly ownerId: string | null;
  readonly inviterName: string | null;
  readonly inviterEmail: string | null;
  readonly invitationUrl: string | null;
  readonly createdByUserId: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly emptySince: Date | null;
}

/** As the table holds it. */
type StoredGathering = WithValues<GatheringRow, Record<'properties' | 'searchProperties', string | null>>;

export const toRow = (stored: StoredGathering): GatheringRow => ({
  ...stored,
  properties: jsonOrNull(stored.properties),
  searchProperties: jsonOrNull(stored.searchProperties),
});

/** Fields of a row as the table holds them. */
const toStored = <Fields extends Partial<GatheringRow>>(fields: Fields) =>
  withJson(fields, 'properties', 'searchProperties');

/** The value of a closed list that a column holds; its first for anything else. */
const knownOf = <T extends string>(values: readonly [T, ...T[]], text: string): T => oneOf(values, text) ?? values[0];

export const statusOf = (row: Pick<GatheringRow, 'status'>): GatheringStatus => knownOf(gatheringStatuses, row.status);
export const timingOf = (
  row: Pick<GatheringRow, 'type' | 'status' | 'startsAt' | 'endsAt' | 'emptySince'>,
): Timing => ({
  type: knownOf(gatheringTypes, row.type),
  status: statusOf(row),
  startsAt: row.startsAt,
  endsAt: row.endsAt,
  emptySince: row.emptySince,
});

export const toGathering = (row: GatheringRow): Gathering => ({
  id: row.id,
  tenantId: row.tenantId,
  projectId: row.projectId,
  name: row.name,
  description: row.description,
  type: knownOf(gatheringTypes, row.type),
  status: statusOf(row),
  maxMembers: row.maxMembers,
  memberCount: row.memberCount,
  accessPolicy: knownOf(accessPolicies, row.accessPolicy),
  listed: row.listed,
  startsAt: timeOrNull(row.startsAt),
  endsAt: timeOrNull(row.endsAt),
  timezone: row.timezone,
  roomId: row.roomId,
  autoStartSession: row.autoStartSession,
  sessionId: row.sessionId,
  joinCode: row.joinCode,
  properties: row.properties,
  searchProperties: row.searchProperties,
  ownerId: row.ownerId,
  inviterName: row.inviterName,
  inviterEmail: row.inviterEmail,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
  expiresAt: timeOrNull(expiresAt(timingOf(row))),
});

interface GatheringFilter extends Omit<GatheringListQuery, 'status' | 'limit' | 'offset' | 'after'> {
  readonly statuses?: readonly GatheringStatus[] | undefined;
}

/** Choice: a private gathering is never in the public list, whatever its flag says, and so counts as unlisted. */
const findable = (listed: boolean | undefined) =>
  listed === false
    ? { OR: [{ listed }, { accessPolicy: 'private' }] }
    : listed === true
      ? { listed, accessPolicy: { not: 'private' } }
      : {};

/** Who has a seat, or had one. */
const wasThere = { OR: [{ status: { not: 'invited' } }, { leftAt: { not: null } }] };

const whereOf = (
  projectId: string,
  { type, statuses, listed, searchProperties = {}, externalUserId, since, until }: GatheringFilter,
) => ({
  projectId,
  type,
  ...findable(listed),
  ...madeWithin({ since, until }),
  ...(externalUserId === undefined ? {} : { members: { some: { externalUserId, ...wasThere } } }),
  ...(statuses === undefined ? {} : { status: { in: [...statuses] } }),
  AND: Object.entries(searchProperties).map(([key, value]) => ({
    findable: { some: { key, value: JSON.stringify(value) } },
  })),
});

/** Gatherings of one room that are looked at. */
const rolesMax = 20;

export class GatheringStore {
  private readonly sql;

  constructor(private readonly database: Database) {
    this.sql = gatheringStatements[database.dialect];
  }

  /** A join code that is taken counts as a lost race: the next try uses another one. */
  async insert(tx: Transaction, row: GatheringRow): Promise<GatheringRow> {
    const stored = { ...toStored(row), dueAt: dueAt(timingOf(row)) };
    await tx.$executeRawUnsafe(this.sql.insert, gatheringRows.text([stored])).catch(asLostRace);
    await this.index(tx, row);
    return row;
  }

  async find(projectId: string, id: string): Promise<GatheringRow | null> {
    const row = await this.database.read.gathering.findFirst({ where: { projectId, id } });
    return row === null ? null : toRow(row);
  }

  async byJoinCode(projectId: string, joinCode: string): Promise<GatheringRow | null> {
    const where = { projectId_joinCode: { projectId, joinCode } };
    const row = await this.database.read.gathering.findUnique({ where });
    return row === null ? null : toRow(row);
  }

  /** The role of a person with a seat in a gathering that goes on in the room; null: they have none. */
  async roleIn(projectId: string, roomId: string, externalUserId: string): Promise<'owner' | 'member' | null> {
    const seat = { externalUserId, status: { in: seatedStates } };
    const rows = await this.database.read.gathering.findMany({
      where: { projectId, roomId, status: { in: openStates }, members: { some: seat } },
      select: { ownerId: true, members: { where: seat, select: { participantId: true } } },
      take: rolesMax,
    });
    if (rows.length === 0) return null;
    const owns = rows.some(({ ownerId, members }) => members.some(({ participantId }) => participantId === ownerId));
    return owns ? 'owner' : 'member';
  }

  /** Locks the gatherings in which these people are or were, in the order of their ids. */
  async lockOfPeople(tx: Transaction, projectId: string, externalUserIds: readonly string[]): Promise<void> {
    await tx.$queryRawUnsafe(this.sql.lockOfPeople, projectId, JSON.stringify(externalUserIds));
  }

  /** The current row, locked until the transaction ends; null when there is none. */
  async lock(tx: Transaction, projectId: string, id: string): Promise<GatheringRow | null> {
    const [row] = await tx.$queryRawUnsafe<StoredGathering[]>(this.sql.lock, projectId, id);
    return row === undefined ? null : toRow(row);
  }

  /** Changes a row that is locked. */
  async update(tx: Transaction, locked: GatheringRow, fields: Partial<GatheringRow>): Promise<GatheringRow> {
    const row = { ...locked, ...fields };
    const changed = Object.entries({ ...toStored(fields), dueAt: dueAt(timingOf(row)) });
    const statement = this.sql.update(changed.map(([name]) => name));
    await tx.$executeRawUnsafe(statement, ...changed.map(([, value]) => value), locked.id);
    if (fields.searchProperties !== undefined) await this.reindex(tx, row);
    return row;
  }

  count = (projectId: string, filter: GatheringFilter) =>
    this.database.read.gathering.count({ where: whereOf(projectId, filter) });

  /** Newest first. */
  async list(projectId: string, filter: GatheringFilter, page: RowPage): Promise<GatheringRow[]> {
    const where = whereOf(projectId, filter);
    return (await this.database.read.gathering.findMany(newestFirst(where, page))).map(toRow);
  }

  /** Gatherings due for a look, in projects within reach. */
  due = (now: Date, page: DuePage) =>
    this.database.read.gathering.findMany({
      where: { dueAt: { lte: now }, project: projectInReach },
      orderBy: [{ dueAt: 'asc' }, { id: 'asc' }],
      select: { id: true, projectId: true },
      ...page,
    });

  nextDue = async (): Promise<Date | null> => {
    const where = { dueAt: { gt: atOnce }, project: projectInReach };
    const next = await this.database.read.gathering.findFirst({ where, orderBy: { dueAt: 'asc' } });
    return next?.dueAt ?? null;
  };

  /**
   * Clears the inviter where it is the person: in gatherings that they own, and in those that they were in and whose
   * inviter has their name. Returns the ids. Choice: an inviter with another name is another person, whoever owned the
   * gathering since.
   */
  async eraseInviter(
    tx: Transaction,
    projectId: string,
    { id, externalUserId, displayName }: { id: string; externalUserId: string; displayName: string },
  ): Promise<string[]> {
    const isTheirs = [{ ownerId: id }, { inviterName: displayName, members: { some: { externalUserId } } }];
    const isNamed = [{ inviterName: { not: null } }, { inviterEmail: { not: null } }];
    const rows = await tx.gathering.findMany({
      where: { projectId, AND: [{ OR: isTheirs }, { OR: isNamed }] },
      select: { id: true },
    });
    const ids = rows.map((row) => row.id);
    await tx.gathering.updateMany({ where: { id: { in: ids } }, data: { inviterName: null, inviterEmail: null } });
    return ids;
  }

  private async reindex(tx: Transaction, row: GatheringRow): Promise<void> {
    await tx.gatheringSearchProperty.deleteMany({ where: { gatheringId: row.id } });
    await this.index(tx, row);
  }

  private async index(tx: Transaction, { id: gatheringId, searchProperties }: GatheringRow): Promise<void> {
    const entries = Object.entries(searchProperties ?? {});
    if (entries.length === 0) return;
    await tx.gatheringSearchProperty.createMany({
      data: entries.map(([key, value]) => ({ gatheringId, key, value: JSON.stringify(value) })),
    });
  }
}
