/** Rows of cases, and which reviews belong to them. */
import { claimMinutes } from '../../../../src/contract/moderation/reviews.js';
import {
  type AnnouncedCase,
  type Case,
  CaseDecision,
  CaseReason,
  CaseStatus,
  DecideCaseRequest,
} from '../../../../src/contract/reports/cases.js';
import type { ProjectRole } from '../../../../src/contract/route.js';
import { compareText } from '../../../platform/database/bulk-rows.js';
import { oneOf, timeOrNull } from '../../../platform/database/column-values.js';
import { type Database, idPairsAtOnce, type Reader, type Transaction } from '../../../platform/database/database.js';
import { lockRow } from '../../../platform/database/row-lock.js';
import { rowsAtOnce, slicesOf } from '../../../platform/database/slices.js';
import { minuteMs } from '../../../platform/time/spans.js';
import type { LeaseKind } from '../../../platform/turns/leases.js';
import type { GoneHolders } from '../../moderation/claim-holders.js';
import { caseLoadRows, caseReviewRows, caseRows, lockCases } from '../sql.js';
import { explained, priorityOf } from './priority.js';

export interface CaseRow {
  readonly id: string;
  readonly tenantId: string;
  readonly projectId: string;
  readonly openKey: string | null;
  readonly status: string;
  readonly category: string;
  readonly categoryWeight: number;
  readonly externalUserId: string | null;
  readonly roomId: string | null;
  readonly reports: number;
  readonly reporters: number;
  readonly reviews: number;
  readonly blockers: number;
  readonly orders: number;
  readonly trusted: number;
  readonly weight: number;
  readonly brigaded: number;
  readonly rank: number;
  readonly escalatedTo: string | null;
  readonly claimedByUserId: string | null;
  readonly claimedAt: Date | null;
  readonly claimExpiresAt: Date | null;
  readonly proposal: string | null;
  readonly proposedByUserId: string | null;
  readonly decision: string | null;
  readonly reasonCode: string | null;
  readonly sanctionId: string | null;
  readonly mergedIntoId: string | null;
  readonly decidedByUserId: string | null;
  readonly decidedAt: Date | null;
  readonly note: string | null;
  readonly dueAt: Date;
  readonly missedAt: Date | null;
  readonly heldAt: Date | null;
  readonly heldByUserId: string | null;
  readonly holdReason: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The decision that waits for a second person; null: none does. */
export const proposedIn = ({ proposal }: Pick<CaseRow, 'proposal'>): DecideCaseRequest | null =>
  proposal === null ? null : DecideCaseRequest.parse(JSON.parse(proposal));

const nobodyGone: GoneHolders = new Set();

/** The claim is in force. */
export const isClaimed = (
  { status, claimedByUserId, claimExpiresAt }: CaseRow,
  now: Date,
  gone = nobodyGone,
): boolean =>
  status === 'claimed' && claimExpiresAt !== null && claimExpiresAt > now && !gone.has(claimedByUserId ?? '');

const roles = ['moderator', 'admin', 'owner'] as const satisfies readonly ProjectRole[];

/** Form in events. A case with nothing but orders names nobody: it would warn the person. */
export function toAnnounced(row: CaseRow, now: Date): AnnouncedCase {
  const { orders, heldAt: _, heldByUserId: __, blockers: ___, ...rest } = toStored(row, now);
  const isOrder = orders > 0 && row.reports + row.reviews === 0;
  return isOrder ? { ...rest, externalUserId: null, roomId: null } : rest;
}

function toStored(row: CaseRow, now: Date, gone = nobodyGone): Omit<Case, 'priority' | 'why' | 'speaking'> {
  const { id, tenantId, projectId, category, externalUserId, roomId, reports, reporters, reviews, brigaded } = row;
  const claim = isClaimed(row, now, gone) ? row : { claimedByUserId: null, claimedAt: null, claimExpiresAt: null };
  return {
    ...{ id, tenantId, projectId, category, externalUserId, roomId, reports, reporters, reviews, brigaded },
    ...{ orders: row.orders, trusted: row.trusted },
    status: row.status === 'claimed' && !isClaimed(row, now, gone) ? 'open' : CaseStatus.parse(row.status),
    weight: row.weight,
    blockers: row.blockers,
    escalatedTo: oneOf(roles, row.escalatedTo),
    claimedByUserId: claim.claimedByUserId,
    claimedAt: timeOrNull(claim.claimedAt),
    claimExpiresAt: timeOrNull(claim.claimExpiresAt),
    proposedByUserId: row.proposedByUserId,
    decision: CaseDecision.nullable().parse(row.decision),
    reasonCode: CaseReason.nullable().parse(row.reasonCode),
    ...{ sanctionId: row.sanctionId, mergedIntoId: row.mergedIntoId, decidedByUserId: row.decidedByUserId },
    decidedAt: timeOrNull(row.decidedAt),
    dueAt: row.dueAt.toISOString(),
    missedAt: timeOrNull(row.missedAt),
    heldAt: timeOrNull(row.heldAt),
    heldByUserId: row.heldByUserId,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export function toCase(row: CaseRow, now: Date, speaking: ReadonlySet<string>, gone: GoneHolders): Case {
  const isSpeaking = row.externalUserId !== null && speaking.has(row.externalUserId);
  const at = row.decidedAt ?? now;
  return {
    ...toStored(row, now, gone),
    priority: priorityOf(row.rank, at, isSpeaking),
    why: explained({ ...row, isSpeaking }, at),
    speaking: isSpeaking,
  };
}

export interface CaseReviewRow {
  readonly reviewId: string;
  readonly caseId: string;
  readonly kind: string;
  readonly category: string;
  readonly decidedAt: Date | null;
}

export interface ImposedSanction {
  readonly sanctionId: string;
  readonly projectId: string;
  readonly externalUserId: string | null;
}

export interface CaseFilter {
  readonly status?: CaseStatus | undefined;
  readonly category?: string | undefined;
  readonly externalUserId?: string | undefined;
  readonly claimedByUserId?: string | undefined;
  readonly escalatedTo?: string | undefined;
  readonly decidedSince?: string | undefined;
  readonly overdue?: boolean | undefined;
  /** About one of these people, or with this text as an id, or in that of the person. */
  readonly matching?: { readonly people: readonly string[]; readonly text: string } | undefined;
}

/** Cases behind a place in the order of rank. */
interface CasePart {
  /** null: of everybody. */
  readonly people: readonly string[] | null;
  readonly after: { readonly rank: number; readonly id: string } | null;
  readonly take: number;
}

function inStatus(status: CaseStatus | undefined, now: Date, gone: GoneHolders): object[] {
  const ended = [{ claimExpiresAt: { lte: now } }, { claimedByUserId: { in: [...gone] } }];
  if (status === undefined) return [{ status: { not: 'decided' } }];
  if (status === 'open') return [{ OR: [{ status: 'open' }, { status: 'claimed', OR: ended }] }];
  return status === 'claimed' ? [{ status, NOT: { OR: ended } }] : [{ status }];
}

const whereOf = (
  projectId: string,
  { status, overdue, decidedSince, matching, ...fields }: CaseFilter,
  now: Date,
  gone: GoneHolders,
) => ({
  projectId,
  ...fields,
  ...(decidedSince === undefined ? {} : { decidedAt: { gte: new Date(decidedSince) } }),
  ...(overdue === undefined ? {} : { missedAt: overdue ? { not: null } : null }),
  AND: [...inStatus(status, now, gone), ...(matching === undefined ? [] : [isMatching(matching)])],
});

const isMatching = ({ people, text }: NonNullable<CaseFilter['matching']>) => ({
  OR: [{ externalUserId: { in: [...people] } }, { externalUserId: { contains: text } }, { roomId: text }, { id: text }],
});

export class CaseStore {
  constructor(private readonly database: Database) {}

  insert = (tx: Transaction, row: CaseRow): Promise<CaseRow> => tx.case.create({ data: row });

  update = (tx: Transaction, id: string, fields: Partial<CaseRow>): Promise<CaseRow> =>
    tx.case.update({ where: { id }, data: fields });

  find = (projectId: string, id: string, reader: Reader | Transaction = this.database.read): Promise<CaseRow | null> =>
    reader.case.findFirst({ where: { projectId, id } });

  /** Returns the cases in which these sanctions were imposed. */
  async imposing(
    tx: Transaction,
    projectId: string,
    sanctions: readonly { readonly id: string; readonly externalUserId: string | null }[],
  ): Promise<{ id: string; sanctionId: string }[]> {
    const found = [];
    for (const part of slicesOf(sanctions, idPairsAtOnce)) {
      // The person too, because the index has no sanctions.
      const people = [...new Set(part.flatMap(({ externalUserId }) => externalUserId ?? []))];
      const where = { projectId, externalUserId: { in: people }, sanctionId: { in: part.map(({ id }) => id) } };
      for (const { id, sanctionId } of await tx.case.findMany({ where, select: { id: true, sanctionId: true } }))
        if (sanctionId !== null) found.push({ id, sanctionId });
    }
    return found;
  }

  /** Those of these cases that are on hold. */
  heldAmong = async (tx: Transaction, projectId: string, ids: readonly string[]): Promise<CaseRow[]> =>
    ids.length === 0
      ? []
      : tx.case.findMany({ where: { projectId, id: { in: [...new Set(ids)] }, heldAt: { not: null } } });

  /** The row, locked until the transaction has ended. */
  async lock(tx: Transaction, projectId: string, id: string): Promise<CaseRow | null> {
    await lockRow(tx, this.database.dialect, 'Case', id);
    return this.find(projectId, id, tx);
  }

  /** The undecided case that new reports join, locked; null: there is none. */
  async undecided(tx: Transaction, projectId: string, openKey: string): Promise<CaseRow | null> {
    const found = await tx.case.findFirst({ where: { projectId, openKey } });
    const locked = found === null ? null : await this.lock(tx, projectId, found.id);
    return locked?.openKey === openKey ? locked : null; // it may have been decided in the meantime
  }

  /**
   * Opens cases of one project, each where its key has no undecided one; returns those of all keys, locked until the
   * transaction has ended. The unique key makes others wait who open the same, so thousands take no lock each.
   *
   * @param fresh one row for each key
   */
  async open(tx: Transaction, projectId: string, fresh: ReadonlyMap<string, CaseRow>): Promise<Map<string, CaseRow>> {
    const opened = new Map<string, CaseRow>();
    const isPostgresql = this.database.dialect === 'postgresql';
    const rows = [...fresh.values()].sort((a, b) => compareText(a.openKey ?? '', b.openKey ?? ''));
    for (let missing = rows; missing.length > 0; missing = missing.filter(({ openKey }) => !opened.has(openKey ?? '')))
      for (const slice of slicesOf(missing)) {
        await tx.$executeRawUnsafe(caseRows.insertAbsent(this.database.dialect), caseRows.text(slice));
        const openKeys = slice.flatMap(({ openKey }) => openKey ?? []);
        if (isPostgresql) await tx.$queryRawUnsafe(lockCases, projectId, JSON.stringify(openKeys));
        const found = await tx.case.findMany({ where: { projectId, openKey: { in: openKeys } } });
        for (const row of found) opened.set(row.openKey ?? '', row);
      }
    return opened;
  }

  /** Inserts a case that new reports join where its key has none, and otherwise without the key. */
  async insertBeside(tx: Transaction, row: CaseRow): Promise<CaseRow> {
    await tx.$executeRawUnsafe(caseRows.insertAbsent(this.database.dialect), caseRows.text([row]));
    return (await this.find(row.projectId, row.id, tx)) ?? this.insert(tx, { ...row, openKey: null });
  }

  /** Stores what is in locked cases, and their rank. */
  async setLoads(tx: Transaction, rows: readonly CaseRow[]): Promise<void> {
    const { dialect } = this.database;
    const prepared = await caseLoadRows.prepare(dialect, rows);
    await this.database.write(tx, caseLoadRows.updatePrepared(dialect, ['id']), prepared);
  }

  /** The person who proposed the sanction that a case imposed; null: nobody else than who imposed it. */
  async proposerOf(tx: Transaction, { projectId, externalUserId, sanctionId }: ImposedSanction) {
    const where = { projectId, externalUserId, sanctionId, proposedByUserId: { not: null } };
    return (await tx.case.findFirst({ where, select: { proposedByUserId: true } }))?.proposedByUserId ?? null;
  }

  /** Everybody who decided these cases, or proposed what was decided. */
  async decidersOf(tx: Transaction, projectId: string, ids: readonly string[]): Promise<string[]> {
    if (ids.length === 0) return [];
    const select = { decidedByUserId: true, proposedByUserId: true } as const;
    const rows = await tx.case.findMany({ where: { projectId, id: { in: [...ids] } }, select });
    return rows.flatMap((row) => [row.decidedByUserId ?? [], row.proposedByUserId ?? []].flat());
  }

  readonly claims: LeaseKind = {
    table: 'Case',
    lengthMs: claimMinutes * minuteMs,
    holder: 'person',
    shorten: (latest) => {
      const where = { status: 'claimed', claimExpiresAt: { gt: latest } };
      return this.database.transaction(
        async (tx) => (await tx.case.updateMany({ where, data: { claimExpiresAt: latest } })).count,
      );
    },
  };

  /** Who has claims in force. */
  async holders(projectId: string, now: Date): Promise<string[]> {
    const where = { projectId, status: 'claimed', claimExpiresAt: { gt: now } };
    const groups = await this.database.read.case.groupBy({ by: ['claimedByUserId'], where });
    return groups.flatMap(({ claimedByUserId }) => claimedByUserId ?? []);
  }

  /** Highest rank first. */
  list(projectId: string, filter: CaseFilter, now: Date, { people, after, take }: CasePart, gone: GoneHolders) {
    const ofPeople = people === null ? [] : [{ externalUserId: { in: [...people] } }];
    const behind =
      after === null ? [] : [{ OR: [{ rank: { lt: after.rank } }, { rank: after.rank, id: { gt: after.id } }] }];
    return this.database.read.case.findMany({
      where: { AND: [whereOf(projectId, filter, now, gone), ...ofPeople, ...behind] },
      orderBy: [{ rank: 'desc' }, { id: 'asc' }],
      take,
    });
  }

  count = (projectId: string, filter: CaseFilter, now: Date, gone: GoneHolders): Promise<number> =>
    this.database.read.case.count({ where: whereOf(projectId, filter, now, gone) });

  /** Counts the undecided cases. */
  async waiting(projectId: string) {
    const { _count, _min } = await this.database.read.case.aggregate({
      where: { projectId, status: { in: CaseStatus.exclude(['decided']).options } },
      _count: { _all: true, missedAt: true },
      _min: { createdAt: true },
    });
    return { waiting: _count._all, overdue: _count.missedAt, oldestAt: timeOrNull(_min.createdAt) };
  }

  /** Renames the person; `openKey` is what the undecided case that new reports join gets. */
  async rename(
    tx: Transaction,
    projectId: string,
    { from, to, openKey }: { readonly from: string; readonly to: string; readonly openKey: string | null },
  ): Promise<void> {
    const where = { projectId, externalUserId: from };
    await tx.case.updateMany({ where: { ...where, openKey: { not: null } }, data: { openKey } });
    await tx.case.updateMany({ where, data: { externalUserId: to } });
  }

  /** Some cases of a person, undecided and decided ones. */
  ofPerson = (tx: Transaction, projectId: string, externalUserId: string): Promise<CaseRow[]> =>
    tx.case.findMany({ where: { projectId, externalUserId }, orderBy: { id: 'asc' }, take: rowsAtOnce });

  /** Undecided ones whose goal is missed, and of which nobody was told. */
  missed = (tx: Transaction, now: Date, take: number): Promise<CaseRow[]> =>
    tx.case.findMany({
      where: { missedAt: null, decidedAt: null, dueAt: { lte: now } },
      orderBy: { dueAt: 'asc' },
      take,
    });

  hasMissed = async (now: Date): Promise<boolean> =>
    (await this.database.read.case.findFirst({
      where: { missedAt: null, decidedAt: null, dueAt: { lte: now } },
      select: { id: true },
    })) !== null;

  /** Puts undecided reviews into cases, in the category that each had; returns in which case each was before. */
  async addReviews(
    tx: Transaction,
    links: readonly Omit<CaseReviewRow, 'decidedAt'>[],
  ): Promise<Map<string, CaseReviewRow>> {
    const before = new Map<string, CaseReviewRow>();
    for (const slice of slicesOf(links)) {
      const where = { reviewId: { in: slice.map(({ reviewId }) => reviewId) } };
      for (const row of await tx.caseReview.findMany({ where })) before.set(row.reviewId, row);
      const categoryOf = (link: (typeof slice)[number]) => before.get(link.reviewId)?.category ?? link.category;
      const rows = slice.map((link) => ({ ...link, category: categoryOf(link), decidedAt: null }));
      const statement = caseReviewRows.upsert(this.database.dialect, ['reviewId']);
      await tx.$executeRawUnsafe(statement, caseReviewRows.text(rows));
    }
    return before;
  }

  reviewsOf = (caseId: string, reader: Reader | Transaction = this.database.read) =>
    reader.caseReview.findMany({ where: { caseId }, orderBy: { reviewId: 'asc' } });

  /** The case of a review, locked until the transaction has ended; it may go into another case until it is locked. */
  async lockOfReview(tx: Transaction, projectId: string, reviewId: string): Promise<CaseRow | null> {
    for (;;) {
      const link = await tx.caseReview.findUnique({ where: { reviewId } });
      const row = link === null ? null : await this.lock(tx, projectId, link.caseId);
      const now = row === null ? null : await tx.caseReview.findUnique({ where: { reviewId } });
      if (row === null || now?.caseId === row.id) return row;
    }
  }

  /** `decidedAt`: null: they are undecided again. */
  async reviewsDecided(tx: Transaction, reviewIds: readonly string[], decidedAt: Date | null): Promise<void> {
    for (const slice of slicesOf(reviewIds))
      await tx.caseReview.updateMany({ where: { reviewId: { in: [...slice] } }, data: { decidedAt } });
  }

  async moveReviews(tx: Transaction, from: string, to: string, ids: readonly string[] | null): Promise<number> {
    const where = { caseId: from, ...(ids === null ? {} : { reviewId: { in: [...ids] } }) };
    return (await tx.caseReview.updateMany({ where, data: { caseId: to } })).count;
  }
}
