/** Rows of reviews. */
import { ReviewDecision } from '../../../../src/contract/moderation/review-decision.js';
import { claimMinutes, type Review, ReviewKind, ReviewStatus } from '../../../../src/contract/moderation/reviews.js';
import { bulkRows, compareText, type PreparedRows } from '../../../platform/database/bulk-rows.js';
import { timeOrNull } from '../../../platform/database/column-values.js';
import { type Database, idsAtOnce, type Reader, type Transaction } from '../../../platform/database/database.js';
import { madeWithin } from '../../../platform/database/made-within.js';
import { oldestFirst, type RowPage } from '../../../platform/database/row-page.js';
import { slicesOf } from '../../../platform/database/slices.js';
import { minuteMs } from '../../../platform/time/spans.js';
import type { LeaseKind } from '../../../platform/turns/leases.js';
import { type GoneHolders, nobodyGone } from '../claim-holders.js';

export interface ReviewRow {
  readonly id: string;
  readonly tenantId: string;
  readonly projectId: string;
  readonly kind: string;
  readonly status: string;
  readonly sanctionId: string;
  readonly participantId: string | null;
  readonly externalUserId: string | null;
  readonly statement: string | null;
  readonly createdByUserId: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly claimedByUserId: string | null;
  readonly claimedAt: Date | null;
  readonly decidedByUserId: string | null;
  readonly decidedAt: Date | null;
  readonly decision: string | null;
  readonly answer: string | null;
  readonly isUnfounded: boolean;
  readonly note: string | null;
  /** An appeal that somebody else made in the person's name. */
  readonly isInName: boolean;
}

/** The appeals against one sanction. */
export interface Appeals {
  readonly own: ReviewRow | null;
  readonly inName: ReviewRow | null;
}

/** A rule asked for it, not a person. */
export const isAskedByRule = ({ kind, createdByUserId }: Pick<ReviewRow, 'kind' | 'createdByUserId'>): boolean =>
  kind === 'human_review' && createdByUserId === null;

const claimMs = claimMinutes * minuteMs;

/** The claim is in force. */
export const isReviewClaimed = (
  { status, claimedByUserId, claimedAt }: ReviewRow,
  now: Date,
  gone = nobodyGone,
): boolean =>
  status === 'claimed' &&
  claimedByUserId !== null &&
  !gone.has(claimedByUserId) &&
  claimedAt !== null &&
  claimedAt.getTime() + claimMs > now.getTime();

/** A claimed review is open again when its claim has ended. */
const asOf = (row: ReviewRow, now: Date, gone: GoneHolders): ReviewRow =>
  row.status === 'claimed' && !isReviewClaimed(row, now, gone)
    ? { ...row, status: 'open', claimedByUserId: null, claimedAt: null }
    : row;

/** Without the note, which only moderators may read. */
export function toReview(stored: ReviewRow, now: Date, gone = nobodyGone): Review {
  const { note: _, isUnfounded, isInName, ...row } = asOf(stored, now, gone);
  return {
    ...row,
    unfounded: isUnfounded,
    inName: isInName,
    kind: ReviewKind.parse(row.kind),
    status: ReviewStatus.parse(row.status),
    decision: ReviewDecision.nullable().parse(row.decision),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    claimedAt: timeOrNull(row.claimedAt),
    decidedAt: timeOrNull(row.decidedAt),
  };
}

export interface ReviewFilter {
  readonly status?: ReviewStatus | undefined;
  readonly kind?: string | undefined;
  readonly externalUserId?: string | undefined;
  readonly sanctionId?: string | undefined;
  readonly claimedByUserId?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly decidedSince?: string | undefined;
  readonly undecided?: boolean | undefined;
  /** About one of these people, or with this text as an id, or in that of the person. */
  readonly matching?: { readonly people: readonly string[]; readonly text: string } | undefined;
}

function inStatus(status: ReviewStatus | undefined, now: Date, gone: GoneHolders) {
  const since = new Date(now.getTime() - claimMs);
  const lapsed = {
    status: 'claimed',
    OR: [
      ...[{ claimedByUserId: null }, { claimedAt: null }, { claimedAt: { lte: since } }],
      { claimedByUserId: { in: [...gone] } },
    ],
  };
  if (status === 'open') return { OR: [{ status }, lapsed] };
  if (status === 'claimed')
    return { status, claimedByUserId: { not: null, notIn: [...gone] }, claimedAt: { gt: since } };
  return status === undefined ? {} : { status };
}

const whereOf = (
  projectId: string,
  { status, claimedByUserId, since, until, decidedSince, undecided, matching, ...fields }: ReviewFilter,
  now: Date,
  gone: GoneHolders,
) => ({
  projectId,
  ...fields,
  AND: [
    inStatus(status, now, gone),
    claimedByUserId === undefined ? {} : { claimedByUserId },
    undecided === undefined ? {} : { status: undecided ? { not: 'decided' } : 'decided' },
    matching === undefined
      ? {}
      : {
          OR: [
            { externalUserId: { in: [...matching.people] } },
            { externalUserId: { contains: matching.text } },
            { id: matching.text },
          ],
        },
  ],
  ...madeWithin({ since, until }),
  ...(decidedSince === undefined ? {} : { decidedAt: { gte: new Date(decidedSince) } }),
});

const reviewRows = bulkRows('Review');
/** More of them change nothing: a suspension was proposed long before. */
const unfoundedMax = 1_000;

/** Reviews that rules asked for and nobody has decided. */
const undecidedOf = (projectId: string, sanctionIds: readonly string[]) => ({
  ...{ projectId, kind: 'human_review', status: { not: 'decided' }, sanctionId: { in: [...sanctionIds] } },
});

export class ReviewStore {
  constructor(private readonly database: Database) {}

  /** Rows as `insert` takes them; made before the transaction, because other writers wait for it. */
  prepare = (rows: readonly ReviewRow[]): Promise<PreparedRows[]> => reviewRows.prepare(this.database.dialect, rows);

  insert = (tx: Transaction, rows: readonly PreparedRows[]): Promise<void> =>
    this.database.write(tx, reviewRows.insertPrepared(this.database.dialect), rows);

  find = (
    projectId: string,
    id: string,
    reader: Reader | Transaction = this.database.read,
  ): Promise<ReviewRow | null> => reader.review.findFirst({ where: { projectId, id } });

  /** Returns the ids that the project has, out of these. */
  async known(projectId: string, ids: readonly string[]): Promise<Set<string>> {
    const found = new Set<string>();
    for (const part of slicesOf(ids, idsAtOnce)) {
      const where = { projectId, id: { in: [...part] } };
      for (const { id } of await this.database.read.review.findMany({ where, select: { id: true } })) found.add(id);
    }
    return found;
  }

  /** Oldest first. */
  async byIds(
    projectId: string,
    ids: readonly string[],
    reader: Reader | Transaction = this.database.read,
  ): Promise<ReviewRow[]> {
    const found: ReviewRow[] = [];
    for (const part of slicesOf([...ids].sort(compareText), idsAtOnce)) {
      const where = { projectId, id: { in: [...part] } };
      found.push(...(await reader.review.findMany({ where, orderBy: { id: 'asc' } })));
    }
    return found;
  }

  /** Gives undecided reviews these fields; returns those there were, as they were and are. */
  async decideAll(
    tx: Transaction,
    projectId: string,
    ids: readonly string[],
    fields: Partial<ReviewRow>,
    updatedAt: Date,
  ): Promise<{ readonly before: ReviewRow; readonly after: ReviewRow }[]> {
    const changes = [];
    for (const part of slicesOf([...ids].sort(compareText), idsAtOnce)) {
      const where = { projectId, id: { in: [...part] }, status: { not: 'decided' } };
      await tx.review.updateMany({ where, data: { updatedAt } }); // locks them
      const open = new Map((await tx.review.findMany({ where })).map((row) => [row.id, row]));
      for (const after of await tx.review.updateManyAndReturn({ where, data: fields })) {
        const before = open.get(after.id);
        if (before !== undefined) changes.push({ before, after });
      }
    }
    return changes;
  }

  /** Locks the review until the transaction has ended. False when there is none. */
  async lock(tx: Transaction, projectId: string, id: string, now: Date): Promise<boolean> {
    return (await tx.review.updateMany({ where: { projectId, id }, data: { updatedAt: now } })).count === 1;
  }

  update = (tx: Transaction, id: string, fields: Partial<ReviewRow>): Promise<ReviewRow> =>
    tx.review.update({ where: { id }, data: fields });

  /** Locks the reviews that these sanctions asked for and that nobody has decided, and returns them. */
  async lockUndecided(
    tx: Transaction,
    projectId: string,
    sanctionIds: readonly string[],
    now: Date,
  ): Promise<ReviewRow[]> {
    const where = undecidedOf(projectId, sanctionIds);
    if ((await tx.review.updateMany({ where, data: { updatedAt: now } })).count === 0) return [];
    return tx.review.findMany({ where, orderBy: { id: 'asc' } });
  }

  countUndecided = (projectId: string, sanctionIds: readonly string[]): Promise<number> =>
    this.database.read.review.count({ where: undecidedOf(projectId, sanctionIds) });

  /** A claim may not begin later than now, or it would hold longer than others. */
  readonly claims: LeaseKind = {
    table: 'Review',
    lengthMs: claimMs,
    holder: 'person',
    shorten: (latest) => {
      const claimedAt = new Date(latest.getTime() - claimMs);
      const where = { status: 'claimed', claimedAt: { gt: claimedAt } };
      return this.database.transaction(
        async (tx) => (await tx.review.updateMany({ where, data: { claimedAt } })).count,
      );
    },
  };

  /** Who has claims in force. */
  async holders(projectId: string, now: Date): Promise<string[]> {
    const where = whereOf(projectId, { status: 'claimed' }, now, nobodyGone);
    const groups = await this.database.read.review.groupBy({ by: ['claimedByUserId'], where });
    return groups.flatMap(({ claimedByUserId }) => claimedByUserId ?? []);
  }

  /** The oldest first. */
  list = (projectId: string, filter: ReviewFilter, now: Date, page: RowPage, gone = nobodyGone): Promise<ReviewRow[]> =>
    this.database.read.review.findMany(oldestFirst(whereOf(projectId, filter, now, gone), page));

  /** The newest reviews of a person, and those that were decided last: so many of each. */
  async newestOf(projectId: string, externalUserId: string, take: number): Promise<ReviewRow[]> {
    const { review } = this.database.read;
    const where = { projectId, externalUserId };
    const newest = await review.findMany({ where, orderBy: { id: 'desc' }, take });
    if (newest.length < take) return newest;
    const ofDecided = { where: { ...where, decidedAt: { not: null } }, orderBy: { decidedAt: 'desc' }, take } as const;
    const known = new Set(newest.map(({ id }) => id));
    return [...newest, ...(await review.findMany(ofDecided)).filter(({ id }) => !known.has(id))];
  }

  /** Reviews of these sanctions that are decided. */
  async decidedAbout(
    projectId: string,
    sanctionIds: readonly string[],
    reader: Reader | Transaction = this.database.read,
  ): Promise<ReviewRow[]> {
    const found: ReviewRow[] = [];
    for (const part of slicesOf(sanctionIds, idsAtOnce)) {
      const where = { projectId, sanctionId: { in: [...part] }, decision: { not: null } };
      found.push(...(await reader.review.findMany({ where, orderBy: { id: 'asc' } })));
    }
    return found;
  }

  /** Appeals against these sanctions, by sanction. */
  async appealsAgainst(
    sanctionIds: readonly string[],
    reader: Reader | Transaction = this.database.read,
  ): Promise<Map<string, Appeals>> {
    const found = new Map<string, Appeals>();
    for (const part of slicesOf(sanctionIds, idsAtOnce)) {
      const where = { kind: 'appeal', sanctionId: { in: [...part] } };
      for (const row of await reader.review.findMany({ where })) {
        const both = found.get(row.sanctionId) ?? { own: null, inName: null };
        found.set(row.sanctionId, row.isInName ? { ...both, inName: row } : { ...both, own: row });
      }
    }
    return found;
  }

  /** The newest sanctions that a person appealed against, up to `take`; only those whose appeals wait, if asked for. */
  async appealedBy(
    { projectId, externalUserId, isWaiting }: { projectId: string; externalUserId: string; isWaiting: boolean },
    take: number,
  ): Promise<string[]> {
    const where = { projectId, externalUserId, kind: 'appeal', ...(isWaiting ? { decision: null } : {}) };
    const query = { where, orderBy: { sanctionId: 'desc' }, take, select: { sanctionId: true } } as const;
    return (await this.database.read.review.findMany(query)).map(({ sanctionId }) => sanctionId);
  }

  /** The newest appeals that a person made themselves and that were decided as manifestly unfounded. */
  unfoundedAppeals(
    projectId: string,
    externalUserId: string,
    reader: Reader | Transaction = this.database.read,
  ): Promise<Pick<ReviewRow, 'sanctionId' | 'decidedAt'>[]> {
    const where = { projectId, externalUserId, kind: 'appeal', isUnfounded: true, isInName: false };
    const select = { sanctionId: true, decidedAt: true } as const;
    return reader.review.findMany({ where, orderBy: { id: 'desc' }, take: unfoundedMax, select });
  }

  /** Those of the sanctions against which an appeal waits. */
  async withWaitingAppeal(projectId: string, sanctionIds: readonly string[]): Promise<Set<string>> {
    const where = { projectId, sanctionId: { in: [...sanctionIds] }, kind: 'appeal', decision: null };
    const rows = await this.database.read.review.findMany({ where, select: { sanctionId: true } });
    return new Set(rows.map(({ sanctionId }) => sanctionId));
  }

  /** How many appeals that a person made themselves were decided since then. */
  decidedAppeals = (
    projectId: string,
    externalUserId: string,
    since: Date,
    reader: Reader | Transaction = this.database.read,
  ): Promise<number> =>
    reader.review.count({
      where: { projectId, externalUserId, kind: 'appeal', isInName: false, decidedAt: { gt: since } },
    });

  /** Who appealed against these sanctions in a way that was manifestly unfounded. */
  async unfoundedAppellants(tx: Transaction, sanctionIds: readonly string[]): Promise<Set<string>> {
    const people = new Set<string>();
    for (const part of slicesOf(sanctionIds, idsAtOnce)) {
      const where = { sanctionId: { in: [...part] }, kind: 'appeal', isUnfounded: true, isInName: false };
      for (const { externalUserId } of await tx.review.findMany({ where, select: { externalUserId: true } }))
        if (externalUserId !== null) people.add(externalUserId);
    }
    return people;
  }

  /** Counts the undecided appeals. */
  async waitingAppeals(projectId: string) {
    const { _count, _min } = await this.database.read.review.aggregate({
      where: { projectId, status: { in: ReviewStatus.exclude(['decided']).options }, kind: 'appeal' },
      _count: { _all: true },
      _min: { createdAt: true },
    });
    return { waiting: _count._all, oldestAt: timeOrNull(_min.createdAt) };
  }

  count = (projectId: string, filter: ReviewFilter, now: Date, gone = nobodyGone): Promise<number> =>
    this.database.read.review.count({ where: whereOf(projectId, filter, now, gone) });
}
