/** Cases: listed by priority, claimed for a time, decided once, escalated, merged and split. */

import { DomainError } from '../../../../src/contract/errors.js';
import { claimMinutes } from '../../../../src/contract/moderation/reviews.js';
import type {
  Case,
  CaseDetail,
  CaseListQuery,
  CasePage,
  CaseProposal,
  SplitCaseRequest,
} from '../../../../src/contract/reports/cases.js';
import { atLeast, type ProjectRole } from '../../../../src/contract/route.js';
import type { Database, Transaction } from '../../../platform/database/database.js';
import type { EventLog } from '../../../platform/events/log.js';
import { uuidv7 } from '../../../platform/ids/new-id.js';
import type { Clock } from '../../../platform/time/clock.js';
import { hourMs, minuteMs } from '../../../platform/time/spans.js';
import type { AccountDirectory } from '../../identity/directory.js';
import type { ClaimHolders, GoneHolders } from '../../moderation/claim-holders.js';
import type { ReviewService } from '../../moderation/reviews/service.js';
import type { ParticipantDirectory } from '../../people/directory.js';
import { type OrderStore, toOrder } from '../orders/order-store.js';
import { groupWeight } from '../reporters/reliability.js';
import { type ReportRow, type ReportStore, toReport } from '../reports/report-store.js';
import type { ReportSettingsService } from '../settings/service.js';
import { caseEvent } from './case-event.js';
import type { CaseHold } from './case-hold.js';
import { type CaseRow, type CaseStore, isClaimed, proposedIn, toCase } from './case-store.js';
import { categoryOfReview, heaviestOf } from './category.js';
import { type CaseIntake, emptyLoad, openKeyOf, untouched } from './intake.js';
import { type CountedFields, joined } from './joining.js';
import { rankOf } from './priority.js';
import type { CaseRanking } from './ranking.js';
import type { SharedTraits } from './shared-traits.js';

const itemsMax = 200;

/** The caller who acts on a case. */
export interface CaseActor {
  readonly id: string;
  readonly role: ProjectRole;
  /** Somebody who has logged in, not an API key. */
  readonly isPerson: boolean;
  readonly mayImpose: boolean;
}

export interface CaseServiceNeeds {
  readonly database: Database;
  readonly log: Pick<EventLog, 'append'>;
  readonly cases: CaseStore;
  readonly reports: ReportStore;
  readonly orders: Pick<OrderStore, 'inCase' | 'moveCase' | 'moveOpenAbout' | 'openIn' | 'shownIn'>;
  readonly hold: Pick<CaseHold, 'follow' | 'extend'>;
  readonly settings: Pick<ReportSettingsService, 'categoriesOf'>;
  readonly intake: Pick<CaseIntake, 'blockersOf'>;
  readonly reviews: Pick<ReviewService, 'named' | 'existingIn'>;
  readonly people: Pick<ParticipantDirectory, 'lock' | 'matching'>;
  readonly ranking: CaseRanking;
  readonly shared: Pick<SharedTraits, 'of'>;
  readonly accounts: Pick<AccountDirectory, 'names'>;
  readonly holders: ClaimHolders;
  readonly now: Clock;
}

export class CaseService {
  constructor(private readonly needs: CaseServiceNeeds) {}

  async list(projectId: string, { search, ...query }: CaseListQuery): Promise<CasePage> {
    const now = this.needs.now();
    const matching =
      search === undefined ? undefined : { people: await this.needs.people.matching(projectId, search), text: search };
    return this.needs.ranking.page(projectId, { ...query, matching }, now, await this.goneHolders(projectId, now));
  }

  /**
   * Throws case_not_found.
   *
   * @param reader `statements`: may read what people wrote in reviews
   */
  async get(projectId: string, id: string, reader: { readonly statements: boolean }): Promise<CaseDetail> {
    const row = await this.needs.cases.find(projectId, id);
    if (row === null) throw new DomainError('case_not_found');
    const links = await this.needs.cases.reviewsOf(id);
    const reviewIds = links.map(({ reviewId }) => reviewId);
    const complained = links.flatMap(({ kind, reviewId }) => (kind === 'complaint' ? [reviewId] : []));
    const complaints = await this.needs.reports.complaintsIn(complained.slice(0, itemsMax));
    const reviews = await this.needs.reviews.named(projectId, reviewIds.slice(0, itemsMax));
    return {
      ...(await this.shown(row)),
      note: row.note,
      proposal: proposalOf(row),
      holdReason: row.holdReason,
      reportList: heaviestFirst(await this.needs.reports.inCase(id, itemsMax), row.category).map(toReport),
      shared: await this.needs.shared.of(row),
      complaintList: complaints.map(toReport),
      orderList: (await this.needs.orders.shownIn(id, itemsMax)).map(toOrder),
      reviewList: reader.statements ? reviews : reviews.map((one) => ({ ...one, statement: null, answer: null })),
    };
  }

  /**
   * Ends the claim of somebody who cannot moderate any more. Throws case_not_found, case_decided, case_claimed,
   * case_unconfirmed, insufficient_role.
   */
  async claim(projectId: string, id: string, actor: CaseActor): Promise<Case> {
    const holder = (await this.needs.cases.find(projectId, id))?.claimedByUserId ?? null;
    const gone = await this.needs.holders.gone(projectId, holder === actor.id ? null : holder);
    const fieldsOf = (row: CaseRow, now: Date) => ({
      ...{ status: 'claimed', claimedByUserId: actor.id },
      claimedAt: row.claimedByUserId === actor.id && isClaimed(row, now) ? row.claimedAt : now,
      claimExpiresAt: new Date(now.getTime() + claimMinutes * minuteMs),
    });
    return this.act(projectId, id, actor, fieldsOf, gone);
  }

  /** Throws as `claim`. */
  release(projectId: string, id: string, actor: CaseActor): Promise<Case> {
    return this.act(projectId, id, actor, () => unclaimed);
  }

  /** Throws as `claim`. */
  escalate(
    projectId: string,
    id: string,
    actor: CaseActor,
    role: ProjectRole,
    note: string | undefined,
  ): Promise<Case> {
    return this.act(projectId, id, actor, () => ({
      ...unclaimed,
      escalatedTo: role,
      ...(note === undefined ? {} : { note }),
    }));
  }

  /** Everything goes into another undecided case. Throws as `claim`, and case_merge_into_self. */
  async merge(projectId: string, id: string, actor: CaseActor, intoId: string): Promise<Case> {
    if (id === intoId) throw new DomainError('case_merge_into_self');
    const into = await this.needs.database.transaction(async (tx) => {
      for (const one of [id, intoId].sort()) await this.lockUndecided(tx, projectId, one, actor);
      return this.mergeIn(tx, projectId, id, intoId, actor.id);
    });
    return this.shown(into);
  }

  /** Both cases are locked and undecided. */
  async mergeIn(
    tx: Transaction,
    projectId: string,
    id: string,
    intoId: string,
    byUserId: string | null,
  ): Promise<CaseRow> {
    const now = this.needs.now();
    const [from, into] = [await this.found(tx, projectId, id), await this.found(tx, projectId, intoId)];
    await this.needs.reports.moveCase(tx, id, intoId, null);
    await this.needs.cases.moveReviews(tx, id, intoId, null);
    await this.needs.orders.moveCase(tx, id, intoId);
    await this.needs.hold.follow(tx, from, intoId);
    if (into.heldAt !== null) await this.needs.hold.extend(tx, into);
    const merged = {
      status: 'decided',
      decision: 'merged',
      mergedIntoId: intoId,
      decidedByUserId: byUserId,
      decidedAt: now,
    };
    const nothing = { openKey: null, proposal: null, proposedByUserId: null, sanctionId: null };
    const gone = { ...nothing, ...emptyLoad, updatedAt: now };
    const closed = await this.needs.cases.update(tx, id, { ...merged, ...gone });
    const fields = joined(into, from, now);
    const blockers = await this.needs.intake.blockersOf(tx, projectId, into.externalUserId);
    const grown = await this.recount(tx, { ...into, ...fields, blockers });
    await this.needs.log.append(
      tx,
      caseEvent('case.updated', closed, now, from),
      caseEvent('case.updated', grown, now, into),
    );
    return grown;
  }

  /**
   * The new case is about the person or the room that its reports and reviews are about, who may be another one where cases
   * were merged. Throws as `claim`, and case_split_invalid where nothing would move, nothing would stay, or where what moves
   * is about several.
   */
  async split(
    projectId: string,
    id: string,
    actor: CaseActor,
    { reportIds, reviewIds }: SplitCaseRequest,
  ): Promise<Case> {
    const created = await this.needs.database.transaction(async (tx) => {
      const now = this.needs.now();
      const row = await this.lockUndecided(tx, projectId, id, actor);
      const target = await this.onlyTarget(tx, row, reportIds, reviewIds);
      const fresh = await this.openBeside(tx, row, target);
      const moved =
        (await this.needs.reports.moveCase(tx, id, fresh.id, reportIds)) +
        (await this.needs.cases.moveReviews(tx, id, fresh.id, reviewIds));
      const left = await this.recount(tx, row);
      const other = await this.recount(tx, fresh);
      if (moved === 0 || left.reports + left.reviews + left.orders === 0) throw new DomainError('case_split_invalid');
      await this.needs.log.append(tx, caseEvent('case.created', other, now), caseEvent('case.updated', left, now, row));
      return other;
    });
    return this.shown(created);
  }

  /** Opens an empty case beside another one, which is held as long. */
  private async openBeside(
    tx: Transaction,
    row: CaseRow,
    target: Pick<CaseRow, 'externalUserId' | 'roomId'>,
  ): Promise<CaseRow> {
    const isNobody = target.externalUserId === null && target.roomId === null;
    const fresh = await this.needs.cases.insertBeside(tx, {
      ...{ ...row, ...untouched, ...emptyLoad, ...target, heldAt: null, heldByUserId: null, holdReason: null },
      ...{ escalatedTo: row.escalatedTo, missedAt: row.missedAt },
      ...{ id: uuidv7(), openKey: isNobody ? null : openKeyOf(target), updatedAt: this.needs.now() },
      blockers: await this.needs.intake.blockersOf(tx, row.projectId, target.externalUserId),
    });
    await this.needs.hold.follow(tx, row, fresh.id);
    return fresh;
  }

  /**
   * Gives others than the person of a case the cases of their own again whose undecided reports, reviews and orders are in it.
   * Returns the case with what is left in it.
   */
  async giveBack(tx: Transaction, row: CaseRow): Promise<CaseRow> {
    const others = [...(await this.othersIn(tx, row)).keys()];
    if (others.length === 0) return row;
    await this.needs.people.lock(tx, row.projectId, others);
    // Some of them may have been erased until they were locked.
    for (const [externalUserId, reviewIds] of await this.othersIn(tx, row)) {
      const fresh = await this.openBeside(tx, row, { externalUserId, roomId: null });
      await this.needs.reports.moveOpenAbout(tx, row.id, fresh.id, externalUserId);
      await this.needs.orders.moveOpenAbout(tx, row.id, fresh.id, externalUserId);
      await this.needs.cases.moveReviews(tx, row.id, fresh.id, reviewIds);
      await this.needs.log.append(tx, caseEvent('case.created', await this.recount(tx, fresh), this.needs.now()));
    }
    return this.recount(tx, row);
  }

  /** Others than the person of a case about whom something undecided is in it, with their reviews. */
  private async othersIn(tx: Transaction, { id, projectId, externalUserId }: CaseRow): Promise<Map<string, string[]>> {
    const links = (await this.needs.cases.reviewsOf(id, tx)).filter(({ decidedAt }) => decidedAt === null);
    const reviewIds = links.map(({ reviewId }) => reviewId);
    const reviews = await this.needs.reviews.existingIn(tx, projectId, reviewIds);
    const named = [...reviews, ...(await this.needs.orders.openIn(tx, id))].map((one) => one.externalUserId);
    const people = [...(await this.needs.reports.openAbout(tx, id)), ...named];
    const others = [...new Set(people.filter((one) => one !== null && one !== externalUserId))].sort();
    const idsOf = (person: string | null) =>
      reviews.filter((one) => one.externalUserId === person).map((one) => one.id);
    return new Map(others.flatMap((person) => (person === null ? [] : [[person, idsOf(person)] as const])));
  }

  /** The person or the room that these reports and reviews of a case are about. Throws case_split_invalid. */
  private async onlyTarget(tx: Transaction, row: CaseRow, reportIds: readonly string[], reviewIds: readonly string[]) {
    const linked = new Set((await this.needs.cases.reviewsOf(row.id, tx)).map(({ reviewId }) => reviewId));
    const named = reviewIds.filter((id) => linked.has(id));
    const reviews = await this.needs.reviews.existingIn(tx, row.projectId, named);
    const reports = await this.needs.reports.targetsIn(tx, row.id, reportIds);
    const targets = [...reports, ...reviews.map(({ externalUserId }) => ({ externalUserId, roomId: null }))];
    const [first] = targets;
    if (first === undefined) throw new DomainError('case_split_invalid');
    const target = {
      externalUserId: first.externalUserId,
      roomId: first.externalUserId === null ? first.roomId : null,
    };
    const isOther = (one: typeof first) =>
      one.externalUserId !== target.externalUserId || (one.externalUserId === null && one.roomId !== target.roomId);
    if (targets.some(isOther))
      throw new DomainError('case_split_invalid', {
        message: 'These reports and reviews are about several people. Move those of one person at a time.',
      });
    return target;
  }

  /**
   * Locks the case for somebody who may decide it now. Throws as `claim`.
   *
   * @param gone whose claim has ended
   */
  async lockUndecided(
    tx: Transaction,
    projectId: string,
    id: string,
    actor: CaseActor,
    gone: string | null = null,
  ): Promise<CaseRow> {
    const row = await this.lockOpen(tx, projectId, id);
    if (row.status === 'unconfirmed') throw new DomainError('case_unconfirmed');
    this.requireRole(row, actor);
    if (isClaimed(row, this.needs.now()) && row.claimedByUserId !== actor.id && row.claimedByUserId !== gone) {
      throw new DomainError('case_claimed', {
        message: `has claimed this case until ${row.claimExpiresAt?.toISOString()}. Wait, or ask them to release it.`,
        details: [{ path: 'claimedByUserId', message: row.claimedByUserId ?? '' }],
      });
    }
    return row;
  }

  private async goneHolders(projectId: string, now: Date): Promise<GoneHolders> {
    return this.needs.holders.goneAmong(projectId, await this.needs.cases.holders(projectId, now));
  }

  /** Throws case_not_found, and case_decided with who decided what. */
  async lockOpen(tx: Transaction, projectId: string, id: string): Promise<CaseRow> {
    const row = await this.needs.cases.lock(tx, projectId, id);
    if (row === null) throw new DomainError('case_not_found');
    if (row.status !== 'decided') return row;
    const what = row.reasonCode === null ? row.decision : `${row.decision} (${row.reasonCode})`;
    throw new DomainError('case_decided', {
      message: `has decided this case at ${row.decidedAt?.toISOString()}: ${what}.`,
      details: [
        { path: 'decidedByUserId', message: row.decidedByUserId ?? '' },
        { path: 'decision', message: row.decision ?? '' },
        { path: 'reasonCode', message: row.reasonCode ?? '' },
      ],
    });
  }

  /** Throws insufficient_role. */
  requireRole({ escalatedTo }: CaseRow, { role }: CaseActor): void {
    if (escalatedTo !== null && !atLeast(role, escalatedTo as ProjectRole))
      throw new DomainError('insufficient_role', {
        message: `This case was escalated: it needs the role ${escalatedTo} in the project; yours is ${role}.`,
      });
  }

  /**
   * Runs an operation; its refusal names who has claimed or decided the case. The name is looked up once the transaction has
   * ended, because a transaction that waits for another connection could wait for ever.
   */
  async namingOthers<T>(tenantId: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof DomainError) || !(error.code === 'case_claimed' || error.code === 'case_decided'))
        throw error;
      const [{ message: id } = { message: '' }] = error.details ?? [];
      const name = id === '' ? 'The daemon' : (await this.needs.accounts.names(tenantId, [id])).get(id);
      const { code, details = [] } = error;
      throw new DomainError(code, { details, message: `${name ?? 'Somebody else'} ${error.message}` });
    }
  }

  async shown(row: CaseRow): Promise<Case> {
    const now = this.needs.now();
    const gone = await this.goneHolders(row.projectId, now);
    return toCase(row, now, await this.needs.ranking.speaking(row.projectId), gone);
  }

  private async act(
    projectId: string,
    id: string,
    actor: CaseActor,
    fieldsOf: (row: CaseRow, now: Date) => Partial<CaseRow>,
    gone: string | null = null,
  ): Promise<Case> {
    const row = await this.needs.database.transaction(async (tx) => {
      const now = this.needs.now();
      const before = await this.lockUndecided(tx, projectId, id, actor, gone);
      const after = await this.needs.cases.update(tx, id, { ...fieldsOf(before, now), updatedAt: now });
      await this.needs.log.append(tx, caseEvent('case.updated', after, now, before));
      return after;
    });
    return this.shown(row);
  }

  /** Counts anew what is in a case, unless it is decided. */
  async recountIn(tx: Transaction, projectId: string, id: string): Promise<void> {
    const before = await this.needs.cases.lock(tx, projectId, id);
    if (before === null || before.status === 'decided') return;
    const after = await this.recount(tx, before);
    await this.needs.log.append(tx, caseEvent('case.updated', after, this.needs.now(), before));
  }

  /** Stores a case with what is in it counted anew: its category and deadline too, which may be later than before. */
  private async recount(tx: Transaction, row: CaseRow): Promise<CaseRow> {
    const counted = await this.counted(tx, row);
    const missedAt = counted.dueAt > counted.updatedAt ? null : row.missedAt;
    return this.needs.cases.update(tx, row.id, { ...row, ...counted, missedAt });
  }

  private async counted(tx: Transaction, row: CaseRow): Promise<CountedFields> {
    const { id, projectId } = row;
    const groups = await this.needs.reports.tally(tx, id);
    const links = await this.needs.cases.reviewsOf(id, tx);
    const linked = new Map(links.map(({ reviewId, category }) => [reviewId, categoryOfReview(category)]));
    const reviews = await this.needs.reviews.existingIn(tx, projectId, [...linked.keys()]);
    const orders = await this.needs.orders.inCase(tx, id);
    const categoryOf = await this.needs.settings.categoriesOf(tx, projectId);
    const held = [
      ...groups.map(({ category, firstAt }) => ({ category: categoryOf(category), at: firstAt })),
      ...orders.map(({ category, createdAt }) => ({ category: categoryOf(category), at: createdAt })),
      ...reviews.map((one) => ({ category: linked.get(one.id) ?? categoryOfReview(''), at: one.createdAt })),
    ];
    const before = { name: row.category, weight: row.categoryWeight };
    const heaviest = held.length === 0 ? before : heaviestOf(held.map(({ category }) => category));
    const due = held.map(({ category, at }) => at.getTime() + category.goalHours * hourMs);
    const ordered = orders.filter(({ status }) => status === 'open').map(({ dueAt }) => dueAt.getTime());
    const created = held.map(({ at }) => at.getTime());
    const createdAt = created.length === 0 ? row.createdAt : new Date(Math.min(...created));
    const of = (isBrigaded: boolean) => groups.filter((group) => group.isBrigaded === isBrigaded);
    const sum = (list: typeof groups, field: 'weight' | 'count') => list.reduce((total, one) => total + one[field], 0);
    const load = {
      reports: sum(groups, 'count'),
      reporters: await this.needs.reports.reportersIn(tx, id),
      reviews: links.length,
      orders: orders.length,
      trusted: groups.reduce((total, group) => total + (group.isTrustedFlagger ? group.count : 0), 0),
      brigaded: sum(of(true), 'count'),
      weight:
        sum(of(false), 'weight') +
        (of(true).length === 0 ? 0 : groupWeight(await this.needs.reports.brigadedWeights(tx, id))),
      category: heaviest.name,
      categoryWeight: heaviest.weight,
    };
    return {
      ...load,
      createdAt,
      dueAt: due.length === 0 ? row.dueAt : new Date(Math.min(...due, ...ordered)),
      rank: rankOf({ ...row, ...load }, createdAt),
      updatedAt: this.needs.now(),
    };
  }

  private async found(tx: Transaction, projectId: string, id: string): Promise<CaseRow> {
    const row = await this.needs.cases.find(projectId, id, tx);
    if (row === null) throw new DomainError('case_not_found');
    return row;
  }
}

/** Reports of the case's category, which is the heaviest, come first; then what their reporters are worth, and the newest. */
const heaviestFirst = (newestFirst: readonly ReportRow[], category: string): readonly ReportRow[] =>
  newestFirst.toSorted(
    (one, other) =>
      Number(other.category === category) - Number(one.category === category) || other.weight - one.weight,
  );

function proposalOf(row: CaseRow): CaseProposal | null {
  const proposed = proposedIn(row);
  if (proposed?.sanction === undefined) return null;
  const { reasonCode, sanction, note = null } = proposed;
  return { reasonCode, sanction, note };
}

const unclaimed = { status: 'open', claimedByUserId: null, claimedAt: null, claimExpiresAt: null } as const;
