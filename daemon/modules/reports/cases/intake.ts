/**
 * What comes into cases: reports, and reviews of moderation, in the transaction that stores them. Everything undecided about
 * one person is one case.
 */

import { addTo } from '../../../platform/collections/add-to.js';
import { compareText } from '../../../platform/database/bulk-rows.js';
import type { Transaction } from '../../../platform/database/database.js';
import { mapWithPauses } from '../../../platform/database/slices.js';
import type { EventLog } from '../../../platform/events/log.js';
import type { NewEvent } from '../../../platform/events/logged.js';
import { uuidv7 } from '../../../platform/ids/new-id.js';
import type { Clock } from '../../../platform/time/clock.js';
import { hourMs, minuteMs } from '../../../platform/time/spans.js';
import type { MemberStore } from '../../gatherings/member-store.js';
import type { ReviewCases } from '../../moderation/cases.js';
import type { BlockStore } from '../../rooms/blocks/store.js';
import type { OrderRow, OrderStore } from '../orders/order-store.js';
import { brigadeMin, gatheringMin, groupWeight } from '../reporters/reliability.js';
import type { ReportRow, ReportStore, TogetherRow } from '../reports/report-store.js';
import type { ReportCategories, ReportSettingsService } from '../settings/service.js';
import { caseEvent } from './case-event.js';
import type { CaseHold } from './case-hold.js';
import type { CaseRow, CaseStore, ImposedSanction } from './case-store.js';
import {
  appealCategory,
  type Category,
  categoryOfReview,
  heavier,
  heaviestOf,
  ofMinors,
  reviewCategory,
} from './category.js';
import { stricter } from './joining.js';
import { rankOf } from './priority.js';

const brigadeWindowMs = minuteMs;

export interface JoiningReview {
  readonly id: string;
  readonly kind: string;
  readonly tenantId: string;
  readonly projectId: string;
  readonly externalUserId: string | null;
  /** Room of a complaint about a report that names no person. */
  readonly roomId?: string | null;
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
  readonly settings: Pick<ReportSettingsService, 'categoriesOf'>;
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

/** By person; those whom nobody blocks are left out. */
type Blockers = ReadonlyMap<string, number>;
const none: Blockers = new Map();

/** A case, and what comes into it. */
interface OpenedCase<T> {
  readonly row: CaseRow;
  readonly isNew: boolean;
  readonly those: readonly T[];
}

interface ChangedCase {
  readonly row: CaseRow;
  readonly isNew: boolean;
  readonly after: CaseRow;
}

/** The goal of what is undecided from now on. */
export const goalFrom = (now: Date, goalHours: number) => ({
  dueAt: new Date(now.getTime() + goalHours * hourMs),
  missedAt: null,
});

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

export class CaseIntake implements ReviewCases {
  constructor(private readonly needs: CaseIntakeNeeds) {}

  /** Puts stored reports of a project into the cases of their people or rooms, which are opened where there are none. */
  async addReports(
    tx: Transaction,
    projectId: string,
    reports: readonly ReportRow[],
    categories: ReportCategories,
  ): Promise<ReportRow[]> {
    const byKey = new Map<string, ReportRow[]>();
    for (const report of reports) addTo(byKey, openKeyOf(report), report);
    const opened = await this.openAll(
      tx,
      projectId,
      [...byKey].map(([key, those]) => ({ key, those, category: heaviest(those, categories) })),
    );
    const acting = await this.actingTogether(tx, projectId, opened);
    const reporters = await this.newReporters(tx, opened);
    const others: TogetherRow[] = [];
    const placed = new Map<string, ReportRow>();
    const changed: ChangedCase[] = [];
    const now = this.needs.now();
    for (const { row, isNew, those } of opened) {
      const together = acting.get(row.id) ?? [];
      const marked = new Set(together.map(({ id }) => id));
      for (const report of those)
        placed.set(report.id, { ...report, caseId: row.id, isBrigaded: marked.has(report.id) });
      const before = together.filter(({ id }) => !placed.has(id));
      others.push(...before);
      const sum = (some: readonly Pick<TogetherRow, 'weight'>[]) =>
        some.reduce((total, { weight }) => total + weight, 0);
      const former = together.length === 0 ? [] : await this.needs.reports.brigadedWeights(tx, row.id);
      const group = [...former, ...together.map(({ weight }) => weight)];
      const alone = sum(those.filter(({ id }) => !marked.has(id))) - sum(before);
      const grown = together.length === 0 ? 0 : groupWeight(group) - groupWeight(former);
      const after = {
        ...weighedWith(row, those, categories, now),
        reports: row.reports + those.length,
        reporters: row.reporters + (reporters.get(row.id) ?? 0),
        brigaded: row.brigaded + together.length,
        trusted: row.trusted + those.filter(({ isTrustedFlagger }) => isTrustedFlagger).length,
        weight: Math.max(row.weight, row.weight + alone + grown),
      };
      changed.push({ row, isNew, after });
    }
    const otherIds = others.map(({ id }) => id);
    await this.needs.reports.markBrigaded(tx, otherIds);
    await this.changeLoads(tx, changed);
    const stored = reports.map((report) => placed.get(report.id) ?? report);
    await this.needs.reports.place(tx, stored);
    for (const { row, isNew } of opened)
      if (!isNew && row.heldAt !== null)
        for (const { id } of byKey.get(openKeyOf(row)) ?? []) await this.needs.hold.extend(tx, row, id);
    return stored;
  }

  /** Locks cases in this order until the transaction has ended. */
  lockAll = async (tx: Transaction, projectId: string, ids: readonly string[]): Promise<void> => {
    for (const id of ids) await this.needs.cases.lock(tx, projectId, id);
  };

  /** Weighs the cases of reports that were sent again, which may be of a heavier category by now. */
  async repeated(
    tx: Transaction,
    projectId: string,
    reports: readonly ReportRow[],
    categories: ReportCategories,
  ): Promise<void> {
    const byCase = new Map<string, ReportRow[]>();
    for (const report of reports) if (report.caseId !== null) addTo(byCase, report.caseId, report);
    const now = this.needs.now();
    for (const [id, those] of [...byCase].sort(([one], [other]) => compareText(one, other))) {
      const row = await this.needs.cases.lock(tx, projectId, id);
      if (row === null || row.status === 'decided') continue;
      const weighed = weighedWith(row, those, categories, now);
      if (weighed.category !== row.category || weighed.categoryWeight !== row.categoryWeight)
        await this.changeLoads(tx, [{ row, isNew: false, after: weighed }]);
    }
    await this.extended(tx, projectId, reports);
  }

  /** Holds those who said what stored reports have more by now, where their case is on hold. */
  async extended(tx: Transaction, projectId: string, reports: readonly ReportRow[]): Promise<void> {
    const ids = reports.flatMap(({ caseId }) => caseId ?? []);
    const held = new Map((await this.needs.cases.heldAmong(tx, projectId, ids)).map((row) => [row.id, row]));
    for (const { id, caseId } of reports) {
      const row = held.get(caseId ?? '');
      if (row !== undefined) await this.needs.hold.extend(tx, row, id);
    }
  }

  /**
   * Puts a stored order into the case of its person or room, which is due when the order is.
   *
   * @param escalatedTo least role that may decide the case where the order was before
   */
  async addOrder(tx: Transaction, order: OrderRow, escalatedTo: string | null = null): Promise<OrderRow> {
    const category = (await this.needs.settings.categoriesOf(tx, order.projectId))(order.category);
    const { row, before } = await this.open(tx, order, category);
    const stored = await this.needs.orders.update(tx, order.id, { caseId: row.id });
    const dueAt = order.dueAt < row.dueAt ? order.dueAt : row.dueAt;
    const joined = {
      orders: row.orders + 1,
      escalatedTo: stricter(row.escalatedTo, escalatedTo),
      ...heavier({ ...row, dueAt }, category, this.needs.now()),
    };
    // No event beside that of the order names the person.
    if (before === null) await this.change(tx, row, before, joined);
    else await this.store(tx, row, joined);
    return stored;
  }

  /** Decides the case of an order that was decided by itself, where nothing else is left in it. */
  async orderDecided(tx: Transaction, { projectId, caseId }: OrderRow, byUserId: string): Promise<void> {
    const row = caseId === null ? null : await this.needs.cases.lock(tx, projectId, caseId);
    if (row !== null) await this.endAnswered(tx, row, byUserId);
  }

  /**
   * Puts reviews, and complaints of reporters, into the cases of their people. A review about one of the minors is about minors' safety.
   *
   * @param escalatedTo least role that may decide the case where the reviews were before
   */
  async addReviews(
    tx: Transaction,
    reviews: readonly JoiningReview[],
    {
      minors = new Set(),
      escalatedTo = null,
    }: { readonly minors?: ReadonlySet<string>; readonly escalatedTo?: string | null } = {},
  ): Promise<void> {
    const byKey = new Map<string, (JoiningReview & { readonly roomId: string | null })[]>();
    for (const { roomId = null, ...review } of reviews)
      if (review.externalUserId !== null || roomId !== null)
        addTo(byKey, openKeyOf({ ...review, roomId }), { ...review, roomId });
    const [first] = reviews;
    if (first === undefined || byKey.size === 0) return;
    const categoryIn = ({ kind, externalUserId }: Pick<JoiningReview, 'kind' | 'externalUserId'>): Category =>
      kind === 'appeal' || kind === 'complaint'
        ? appealCategory
        : minors.has(externalUserId ?? '')
          ? ofMinors
          : reviewCategory;
    const wanted = [...byKey].map(([key, those]) => ({
      ...{ key, those },
      category: categoryOfReview(heaviestOf(those.map(categoryIn)).name),
    }));
    const joining = await this.openAll(tx, first.projectId, wanted);
    const links = joining.flatMap(({ row, those }) =>
      those.map(({ id: reviewId, kind, externalUserId }) => ({
        ...{ reviewId, caseId: row.id, kind },
        category: categoryIn({ kind, externalUserId }).name,
      })),
    );
    const before = await this.needs.cases.addReviews(tx, links);
    const now = this.needs.now();
    const changed = joining.map(({ row, isNew }) => {
      const added = links.filter((link) => link.caseId === row.id && before.get(link.reviewId)?.caseId !== row.id);
      let after: CaseRow = { ...row, reviews: row.reviews + added.length };
      for (const { reviewId, category } of added)
        after = { ...after, ...heavier(after, categoryOfReview(before.get(reviewId)?.category ?? category), now) };
      return { row, isNew, after: { ...after, escalatedTo: stricter(row.escalatedTo, escalatedTo) } };
    });
    await this.changeLoads(tx, changed);
  }

  /** The person who proposed the sanction that a case imposed; null: nobody else than who imposed it. */
  proposerOf = (tx: Transaction, sanction: ImposedSanction): Promise<string | null> =>
    this.needs.cases.proposerOf(tx, sanction);

  /** How many people block a person; 0 for nobody. */
  async blockersOf(tx: Transaction, projectId: string, externalUserId: string | null): Promise<number> {
    if (externalUserId === null) return 0;
    return (await this.needs.blocks.blockersOf(tx, projectId, [externalUserId])).get(externalUserId) ?? 0;
  }

  /** Counts anew who blocks a person, where something about them is undecided. */
  async blockersChanged(tx: Transaction, projectId: string, externalUserId: string): Promise<void> {
    const row = await this.needs.cases.undecided(tx, projectId, openKeyOf({ externalUserId, roomId: null }));
    if (row === null) return;
    // No event beside that of the block names the person.
    await this.store(tx, row, { blockers: await this.blockersOf(tx, projectId, externalUserId) });
  }

  /** Decides the case of a review that was decided by itself, where nothing else is left in it. */
  async reviewsDecided(
    tx: Transaction,
    projectId: string,
    reviewIds: readonly string[],
    byUserId: string,
  ): Promise<void> {
    for (const reviewId of reviewIds) {
      const row = await this.needs.cases.lockOfReview(tx, projectId, reviewId);
      if (row === null) continue;
      await this.needs.cases.reviewsDecided(tx, [reviewId], this.needs.now());
      await this.endAnswered(tx, row, byUserId);
    }
  }

  /**
   * Decides a locked case in which only reviews and orders are, all of them decided. A decision that waits for a second
   * moderator goes on waiting: only they, or who proposed it, end it.
   */
  async endAnswered(tx: Transaction, row: CaseRow, byUserId: string): Promise<CaseRow> {
    if (row.reports > 0 || row.status === 'decided' || row.status === 'unconfirmed') return row;
    const reviews = await this.needs.cases.reviewsOf(row.id, tx);
    if (reviews.some(({ decidedAt }) => decidedAt === null)) return row;
    if ((await this.needs.orders.openIn(tx, row.id)).length > 0) return row;
    const decided = { status: 'decided', decision: 'reviewed', decidedByUserId: byUserId, decidedAt: this.needs.now() };
    return this.change(tx, row, row, { ...decided, openKey: null });
  }

  /** A report that is open again and alone in its case has all of its time: the goal of what was answered there is over. */
  async timeAnew(tx: Transaction, { projectId, caseId }: Pick<ReportRow, 'projectId' | 'caseId'>, goalHours: number) {
    const row = caseId === null ? null : await this.needs.cases.lock(tx, projectId, caseId);
    if (row === null || row.reports !== 1) return;
    const reviews = await this.needs.cases.reviewsOf(row.id, tx);
    if (reviews.some(({ decidedAt }) => decidedAt === null)) return;
    if ((await this.needs.orders.openIn(tx, row.id)).length > 0) return;
    await this.change(tx, row, row, goalFrom(this.needs.now(), goalHours));
  }

  /** The undecided case; `before` is null where it was opened now. */
  private async open(tx: Transaction, target: Joining, category: Category) {
    const wanted = [{ key: openKeyOf(target), those: [target], category }];
    const [opened] = await this.openAll(tx, target.projectId, wanted);
    if (opened === undefined) throw new Error('A case was neither found nor opened.');
    return { row: opened.row, before: opened.isNew ? null : opened.row };
  }

  /** The undecided cases of these keys, locked until the transaction has ended; those that are missing are opened. */
  private async openAll<T extends Joining>(
    tx: Transaction,
    projectId: string,
    wanted: readonly { readonly key: string; readonly those: readonly T[]; readonly category: Category }[],
  ): Promise<OpenedCase<T>[]> {
    const now = this.needs.now();
    const people = wanted.flatMap(({ those: [one] }) => one?.externalUserId ?? []);
    const blockers = people.length === 0 ? none : await this.needs.blocks.blockersOf(tx, projectId, people);
    const fresh = new Map<string, CaseRow>();
    for (const { key, those, category } of wanted)
      for (const one of those.slice(0, 1)) fresh.set(key, freshCase(one, category, blockers, now));
    const cases = await this.needs.cases.open(tx, projectId, fresh);
    return wanted.flatMap(({ key, those }) => {
      const row = cases.get(key);
      return row === undefined ? [] : [{ row, isNew: row.id === fresh.get(key)?.id, those }];
    });
  }

  /** Stores what is in locked cases by now, and announces it. */
  private async changeLoads(tx: Transaction, changed: readonly ChangedCase[]): Promise<void> {
    const now = this.needs.now();
    const ranked = changed.map(({ row, isNew, after }) => ({
      ...{ row, isNew },
      after: { ...after, rank: rankOf(after, row.createdAt), updatedAt: now },
    }));
    await this.needs.cases.setLoads(
      tx,
      ranked.map(({ after }) => after),
    );
    const eventOf = ({ row, isNew, after }: ChangedCase): NewEvent =>
      isNew ? caseEvent('case.created', after, now) : caseEvent('case.updated', after, now, row);
    await this.needs.log.append(tx, ...(await mapWithPauses(ranked, eventOf)));
  }

  private async change(
    tx: Transaction,
    row: CaseRow,
    before: CaseRow | null,
    fields: Partial<CaseRow>,
  ): Promise<CaseRow> {
    const now = this.needs.now();
    const after = await this.store(tx, row, fields);
    const event =
      before === null ? caseEvent('case.created', after, now) : caseEvent('case.updated', after, now, before);
    await this.needs.log.append(tx, event);
    return after;
  }

  private store(tx: Transaction, row: CaseRow, fields: Partial<CaseRow>): Promise<CaseRow> {
    const rank = rankOf({ ...row, ...fields }, row.createdAt);
    return this.needs.cases.update(tx, row.id, { ...fields, rank, updatedAt: this.needs.now() });
  }

  /** By case: how many people have reported nothing in it before; each report without a reporter counts as one. */
  private async newReporters(tx: Transaction, opened: readonly OpenedCase<ReportRow>[]): Promise<Map<string, number>> {
    const ids = opened.flatMap(({ row, isNew }) => (isNew ? [] : [row.id]));
    const people = [...new Set(opened.flatMap(({ those }) => distinct(those)))];
    const known = new Set<string>();
    if (ids.length > 0 && people.length > 0)
      for (const one of await this.needs.reports.reportersAmong(tx, ids, people))
        known.add(JSON.stringify([one.caseId, one.reporterUserId]));
    return new Map(
      opened.map(({ row, those }) => {
        const fresh = distinct(those).filter((one) => !known.has(JSON.stringify([row.id, one])));
        return [row.id, fresh.length + those.filter(({ reporterUserId }) => reporterUserId === null).length];
      }),
    );
  }

  /** By case: the reports that came together with new ones of it, these included, and are not marked yet. */
  private async actingTogether(
    tx: Transaction,
    projectId: string,
    opened: readonly OpenedCase<ReportRow>[],
  ): Promise<Map<string, readonly TogetherRow[]>> {
    const byPeople = opened.filter(({ row, those }) => row.externalUserId !== null && distinct(those).length > 0);
    const people = byPeople.flatMap(({ row }) => row.externalUserId ?? []);
    if (people.length === 0) return new Map();
    const since = new Date(this.needs.now().getTime() - brigadeWindowMs);
    // Those of a case that was decided in this minute count for how many act together; only this case changes.
    const counts = await this.needs.reports.countReporters(tx, projectId, people, since);
    const many = people.filter((one) => (counts.get(one) ?? 0) >= brigadeMin);
    const inMinute: string[] = [];
    for (const one of many) if (await this.haveCrowded(tx, projectId, one, since)) inMinute.push(one);
    const unmarked = inMinute.length === 0 ? [] : await this.needs.reports.unmarked(tx, projectId, inMinute, since);
    const found = new Map<string, readonly TogetherRow[]>();
    for (const { row, those } of byPeople) {
      const fresh = new Set(those.map(({ id }) => id));
      const together = unmarked.filter(({ id, caseId }) => caseId === row.id || fresh.has(id));
      const isInMinute = inMinute.includes(row.externalUserId ?? '');
      found.set(row.id, isInMinute ? together : await this.fromOneGathering(tx, row, those));
    }
    return found;
  }

  /** True if enough of those who reported a person since a time have not sat with them: team mates saw it together. */
  private async haveCrowded(tx: Transaction, projectId: string, externalUserId: string, since: Date): Promise<boolean> {
    const reporters = await this.needs.reports.reportersSince(tx, projectId, externalUserId, since);
    const shared = await this.needs.members.sharingSeats(tx, projectId, [externalUserId, ...reporters]);
    const mates = new Set(shared.filter((group) => group.includes(externalUserId)).flat());
    return reporters.filter((one) => !mates.has(one)).length >= brigadeMin;
  }

  /** Those of one gathering in which the reported person does not sit. */
  private async fromOneGathering(
    tx: Transaction,
    { id, projectId, externalUserId }: CaseRow,
    reports: readonly ReportRow[],
  ): Promise<readonly TogetherRow[]> {
    const inCase = [...(await this.needs.reports.latestIn(tx, id)), ...reports];
    const people = distinct(inCase);
    if (people.length < gatheringMin) return [];
    const asked = externalUserId === null ? people : [externalUserId, ...people];
    const sharing = await this.needs.members.sharingSeats(tx, projectId, asked);
    const shared = sharing.filter((group) => externalUserId === null || !group.includes(externalUserId));
    const now = new Set(distinct(reports));
    const bands = shared.filter((group) => group.length >= gatheringMin && group.some((one) => now.has(one)));
    const band = new Set(bands.flat());
    return inCase.filter((one) => !one.isBrigaded && one.reporterUserId !== null && band.has(one.reporterUserId));
  }
}

/** A case as heavy as these reports of it make it. */
const weighedWith = (row: CaseRow, reports: readonly ReportRow[], categories: ReportCategories, now: Date): CaseRow =>
  reports.reduce((weighed, { category }) => ({ ...weighed, ...heavier(weighed, categories(category), now) }), row);

/** The heaviest category of some reports. */
const heaviest = (reports: readonly ReportRow[], categories: ReportCategories): Category =>
  reports.map(({ category }) => categories(category)).reduce((one, other) => (other.weight > one.weight ? other : one));

const distinct = (reports: readonly Pick<ReportRow, 'reporterUserId'>[]): string[] => [
  ...new Set(reports.flatMap(({ reporterUserId }) => reporterUserId ?? [])),
];
