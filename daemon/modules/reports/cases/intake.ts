/**
 * What comes into cases: reports, and reviews of moderation, in the transaction that stores them. Everything undecided about
 * one person is one case.
 */
import { uuidv7 } from 'uuidv7';
import { addTo } from '../../../platform/collections/add-to.js';
import type { Transaction } from '../../../platform/database/database.js';
import { mapWithPauses } from '../../../platform/database/slices.js';
import type { EventLog } from '../../../platform/events/log.js';
import type { NewEvent } from '../../../platform/events/logged.js';
import type { Clock } from '../../../platform/time/clock.js';
import { hourMs, minuteMs } from '../../../platform/time/spans.js';
import type { MemberStore } from '../../gatherings/member-store.js';
import type { BlockStore } from '../../rooms/blocks/store.js';
import type { OrderRow, OrderStore } from '../orders/order-store.js';
import { brigadeFactor } from '../reporters/reliability.js';
import type { ReportRow, ReportStore } from '../reports/report-store.js';
import type { ReportSettingsService } from '../settings/service.js';
import { caseEvent } from './case-event.js';
import type { CaseHold } from './case-hold.js';
import type { CaseRow, CaseStore, ImposedSanction } from './case-store.js';
import { rankOf } from './priority.js';

/** A case without reports: what rules and appeals bring is looked at like a report of middling weight. */
const reviewCategory = { name: 'review', weight: 4, goalHours: 24 };
/** A case about a hidden measure against a minor. */
const ofMinors = { name: 'minors_safety', weight: 10, goalHours: 24 };
/** So many people who report one person within a minute act together. */
const brigadeMin = 5;
const brigadeWindowMs = minuteMs;
/** So many reporters of one person who sit in one gathering act together. */
const gatheringMin = 3;

export interface JoiningReview {
  readonly id: string;
  readonly kind: string;
  readonly tenantId: string;
  readonly projectId: string;
  readonly externalUserId: string | null;
}

interface Joining {
  readonly tenantId: string;
  readonly projectId: string;
  readonly externalUserId: string | null;
  readonly roomId: string | null;
}

export interface CaseIntakeNeeds {
  readonly cases: CaseStore;
  readonly reports: ReportStore;
  readonly orders: OrderStore;
  readonly settings: Pick<ReportSettingsService, 'categoryOf'>;
  readonly hold: Pick<CaseHold, 'extend'>;
  readonly members: Pick<MemberStore, 'sharingSeats'>;
  readonly blocks: Pick<BlockStore, 'blockersOf'>;
  readonly log: Pick<EventLog, 'append'>;
  readonly now: Clock;
}

export const openKeyOf = ({ externalUserId, roomId }: Pick<Joining, 'externalUserId' | 'roomId'>): string =>
  externalUserId === null ? `room:${roomId}` : `person:${externalUserId}`;

/** The fields of a case that nobody has looked at. */
export const untouched = {
  ...{ status: 'open', escalatedTo: null, claimedByUserId: null, claimedAt: null, claimExpiresAt: null },
  ...{ proposal: null, proposedByUserId: null, decision: null, reasonCode: null, sanctionId: null, mergedIntoId: null },
  ...{ decidedByUserId: null, decidedAt: null, note: null, missedAt: null },
} as const;

export const emptyLoad = {
  reports: 0,
  reporters: 0,
  reviews: 0,
  orders: 0,
  trusted: 0,
  weight: 0,
  brigaded: 0,
} as const;

interface Category {
  readonly name: string;
  readonly weight: number;
  readonly goalHours: number;
}

/** By person; those whom nobody blocks are left out. */
type Blockers = ReadonlyMap<string, number>;
const none: Blockers = new Map();

function freshCase(target: Joining, category: Category, blockers: Blockers, now: Date): CaseRow {
  const { tenantId, projectId, externalUserId } = target;
  return {
    ...{ id: uuidv7(), tenantId, projectId, openKey: openKeyOf(target), externalUserId },
    roomId: externalUserId === null ? target.roomId : null,
    ...{ category: category.name, categoryWeight: category.weight, ...emptyLoad, rank: 0, ...untouched },
    blockers: blockers.get(externalUserId ?? '') ?? 0,
    ...{ heldAt: null, heldByUserId: null, holdReason: null },
    dueAt: new Date(now.getTime() + category.goalHours * hourMs),
    ...{ createdAt: now, updatedAt: now },
  };
}

export class CaseIntake {
  constructor(private readonly needs: CaseIntakeNeeds) {}

  /** Puts a stored report into the case of its person or room, which is opened where there is none. */
  async addReport(tx: Transaction, report: ReportRow): Promise<ReportRow> {
    const { projectId, reporterUserId } = report;
    const category = await this.needs.settings.categoryOf(tx, projectId, report.category);
    const { row, before } = await this.open(tx, report, category);
    const together = await this.actingTogether(tx, row.id, report);
    const isNew = reporterUserId === null || !(await this.needs.reports.hasOther(tx, row.id, report));
    const stored = await this.needs.reports.update(tx, report.id, {
      caseId: row.id,
      isBrigaded: together.some(({ id }) => id === report.id),
    });
    if (row.heldAt !== null) await this.needs.hold.extend(tx, row, report.id);
    const others = together.filter(({ id }) => id !== report.id);
    await this.needs.reports.markBrigaded(
      tx,
      others.map(({ id }) => id),
    );
    const discount = others.reduce((sum, { weight }) => sum + weight * (1 - brigadeFactor), 0);
    const counting = report.weight * (stored.isBrigaded ? brigadeFactor : 1);
    await this.change(tx, row, before, {
      reports: row.reports + 1,
      reporters: row.reporters + (isNew ? 1 : 0),
      brigaded: row.brigaded + together.length,
      trusted: row.trusted + (report.isTrustedFlagger ? 1 : 0),
      weight: Math.max(0, row.weight + counting - discount),
      ...heavier(row, category),
    });
    return stored;
  }

  /** Holds those who said what a stored report has more by now, where its case is on hold. */
  async extended(tx: Transaction, { id, projectId, caseId }: ReportRow): Promise<void> {
    const row = caseId === null ? null : await this.needs.cases.find(projectId, caseId, tx);
    if (row !== null && row.heldAt !== null) await this.needs.hold.extend(tx, row, id);
  }

  /** Puts a stored order into the case of its person or room, which is due when the order is. */
  async addOrder(tx: Transaction, order: OrderRow): Promise<OrderRow> {
    const category = await this.needs.settings.categoryOf(tx, order.projectId, order.category);
    const { row, before } = await this.open(tx, order, category);
    const stored = await this.needs.orders.update(tx, order.id, { caseId: row.id });
    const dueAt = order.dueAt < row.dueAt ? order.dueAt : row.dueAt;
    await this.change(tx, row, before, { orders: row.orders + 1, ...heavier({ ...row, dueAt }, category) });
    return stored;
  }

  /** Decides the case of an order that was decided by itself, where nothing else is left in it. */
  async orderDecided(tx: Transaction, { projectId, caseId }: OrderRow, byUserId: string): Promise<void> {
    const row = caseId === null ? null : await this.needs.cases.lock(tx, projectId, caseId);
    if (row !== null) await this.endAnswered(tx, row, byUserId);
  }

  /** Puts new reviews into the cases of their people; a new case about one of the minors is about minors' safety. */
  async addReviews(
    tx: Transaction,
    reviews: readonly JoiningReview[],
    minors: ReadonlySet<string> = new Set(),
  ): Promise<void> {
    const byKey = new Map<string, JoiningReview[]>();
    for (const review of reviews)
      if (review.externalUserId !== null) addTo(byKey, openKeyOf({ ...review, roomId: null }), review);
    const [first] = reviews;
    if (first === undefined || byKey.size === 0) return;
    const now = this.needs.now();
    const people = [...byKey.values()].flatMap(([one]) => one?.externalUserId ?? []);
    const blockers = await this.needs.blocks.blockersOf(tx, first.projectId, people);
    const fresh = new Map<string, CaseRow>();
    for (const [key, [one]] of byKey)
      if (one !== undefined) {
        const category = minors.has(one.externalUserId ?? '') ? ofMinors : reviewCategory;
        fresh.set(key, freshCase({ ...one, roomId: null }, category, blockers, now));
      }
    const cases = await this.needs.cases.open(tx, first.projectId, fresh);
    const joining = [...byKey].flatMap(([key, those]) => {
      const row = cases.get(key);
      return row === undefined ? [] : [{ row, isNew: row.id === fresh.get(key)?.id, those }];
    });
    const links = joining.flatMap(({ row, those }) =>
      those.map(({ id: reviewId, kind }) => ({ reviewId, caseId: row.id, kind })),
    );
    const before = await this.needs.cases.addReviews(tx, links);
    const changed = joining.map(({ row, isNew, those }) => {
      const reviewsNow = row.reviews + those.filter(({ id }) => before.get(id) !== row.id).length;
      const after = { ...row, reviews: reviewsNow, updatedAt: now };
      return { row, isNew, after: { ...after, rank: rankOf(after, row.createdAt) } };
    });
    await this.needs.cases.setLoads(
      tx,
      changed.map(({ after }) => after),
    );
    const eventOf = ({ row, isNew, after }: (typeof changed)[number]): NewEvent =>
      isNew ? caseEvent('case.created', after, now) : caseEvent('case.updated', after, now, row);
    await this.needs.log.append(tx, ...(await mapWithPauses(changed, eventOf)));
  }

  /** The person who proposed the sanction that a case imposed; null: nobody else than who imposed it. */
  proposerOf = (tx: Transaction, sanction: ImposedSanction): Promise<string | null> =>
    this.needs.cases.proposerOf(tx, sanction);

  /** Counts anew who blocks a person, where something about them is undecided. */
  async blockersChanged(tx: Transaction, projectId: string, externalUserId: string): Promise<void> {
    const row = await this.needs.cases.undecided(tx, projectId, openKeyOf({ externalUserId, roomId: null }));
    if (row === null) return;
    const blockers = await this.needs.blocks.blockersOf(tx, projectId, [externalUserId]);
    await this.change(tx, row, row, { blockers: blockers.get(externalUserId) ?? 0 });
  }

  /** Decides the case of a review that was decided by itself, where nothing else is left in it. */
  async reviewsDecided(
    tx: Transaction,
    projectId: string,
    reviewIds: readonly string[],
    byUserId: string,
  ): Promise<void> {
    for (const reviewId of reviewIds) {
      const link = await this.needs.cases.caseOfReview(tx, reviewId);
      const row = link === null ? null : await this.needs.cases.lock(tx, projectId, link.caseId);
      if (row === null) continue;
      await this.needs.cases.reviewsDecided(tx, [reviewId], this.needs.now());
      await this.endAnswered(tx, row, byUserId);
    }
  }

  /** Decides a locked case in which only reviews and orders are, all of them decided. */
  private async endAnswered(tx: Transaction, row: CaseRow, byUserId: string): Promise<void> {
    if (row.reports > 0 || row.status === 'decided') return;
    if ((await this.needs.cases.reviewsOf(row.id, tx)).some(({ decidedAt }) => decidedAt === null)) return;
    if ((await this.needs.orders.openIn(tx, row.id)).length > 0) return;
    const decided = { status: 'decided', decision: 'reviewed', decidedByUserId: byUserId, decidedAt: this.needs.now() };
    await this.change(tx, row, row, { ...decided, openKey: null, proposal: null, proposedByUserId: null });
  }

  /** The undecided case; `before` is null where it was opened now. */
  private async open(tx: Transaction, target: Joining, category: Category) {
    const openKey = openKeyOf(target);
    const { projectId, externalUserId } = target;
    const blockers =
      externalUserId === null ? none : await this.needs.blocks.blockersOf(tx, projectId, [externalUserId]);
    const fresh = freshCase(target, category, blockers, this.needs.now());
    const row = (await this.needs.cases.open(tx, projectId, new Map([[openKey, fresh]]))).get(openKey) ?? fresh;
    return { row, before: row.id === fresh.id ? null : row };
  }

  private async change(
    tx: Transaction,
    row: CaseRow,
    before: CaseRow | null,
    fields: Partial<CaseRow>,
  ): Promise<CaseRow> {
    const now = this.needs.now();
    const rank = rankOf({ ...row, ...fields }, row.createdAt);
    const after = await this.needs.cases.update(tx, row.id, { ...fields, rank, updatedAt: now });
    const event =
      before === null ? caseEvent('case.created', after, now) : caseEvent('case.updated', after, now, before);
    await this.needs.log.append(tx, event);
    return after;
  }

  /** The reports that came together with this one, itself included, and are not marked yet. */
  private async actingTogether(tx: Transaction, caseId: string, report: ReportRow): Promise<readonly ReportRow[]> {
    const { projectId, externalUserId, reporterUserId, createdAt } = report;
    if (externalUserId === null || reporterUserId === null) return [];
    const since = new Date(createdAt.getTime() - brigadeWindowMs);
    const lately = await this.needs.reports.about(tx, projectId, externalUserId, since);
    // Those of a case that was decided in this minute count for how many act together; only this case changes.
    if (distinct(lately).length >= brigadeMin)
      return lately.filter((one) => !one.isBrigaded && (one.caseId === caseId || one.id === report.id));
    const inCase = [...(await this.needs.reports.latestIn(tx, caseId)), report];
    const people = distinct(inCase);
    if (people.length < gatheringMin) return [];
    const shared = await this.needs.members.sharingSeats(tx, projectId, people);
    const band = shared.find((group) => group.length >= gatheringMin && group.includes(reporterUserId));
    return band === undefined
      ? []
      : inCase.filter((one) => !one.isBrigaded && one.reporterUserId !== null && band.includes(one.reporterUserId));
  }
}

const distinct = (reports: readonly ReportRow[]): string[] => [
  ...new Set(reports.flatMap(({ reporterUserId }) => reporterUserId ?? [])),
];

/** The category of the case, where the new one is heavier or the case had none; the earlier goal counts. */
function heavier(
  { category, categoryWeight, createdAt, dueAt, reports }: CaseRow,
  { name, weight, goalHours }: Category,
): Partial<CaseRow> {
  const due = new Date(Math.min(dueAt.getTime(), createdAt.getTime() + goalHours * hourMs));
  const isHeavier = weight > categoryWeight || (reports === 0 && category === reviewCategory.name);
  return { dueAt: due, ...(isHeavier ? { category: name, categoryWeight: Math.max(weight, categoryWeight) } : {}) };
}
