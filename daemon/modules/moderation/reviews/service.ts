/**
 * Reviews: opened by a human_review sanction or an appeal, claimed, and decided with everything about the case in view.
 */
import { DomainError, refusalWhile } from '../../../../src/contract/errors.js';
import type { ReviewDecision } from '../../../../src/contract/moderation/review-decision.js';
import type {
  Review,
  ReviewDetail,
  ReviewListResponse,
  UpdateReviewRequest,
} from '../../../../src/contract/moderation/reviews.js';
import type { Sanction, ToldPerson } from '../../../../src/contract/moderation/sanction-record.js';
import type { HistoryEntry } from '../../../../src/contract/people/participant-records.js';
import type { Message } from '../../../../src/contract/sessions/sessions.js';
import type { Database, Transaction } from '../../../platform/database/database.js';
import { isUniqueViolation } from '../../../platform/database/errors.js';
import type { RowPage } from '../../../platform/database/row-page.js';
import { mapWithPauses } from '../../../platform/database/slices.js';
import type { EventLog } from '../../../platform/events/log.js';
import type { Clock } from '../../../platform/time/clock.js';
import type { AccountDirectory } from '../../identity/directory.js';
import type { ParticipantDirectory } from '../../people/directory.js';
import type { AppealMisuse, CaseReader, ReviewCases } from '../cases.js';
import { type ClaimHolders, type GoneHolders, nobodyGone } from '../claim-holders.js';
import type { RoomEnforcer } from '../sanctions/room-enforcer.js';
import { revokedByReview } from '../sanctions/rules.js';
import type { SanctionService } from '../sanctions/service.js';
import type { SanctionStore } from '../sanctions/store.js';
import type { SanctionsTakenBack } from '../sanctions/taken-back.js';
import type { StatementWriter } from '../standing/statements.js';
import { type ReviewOpening, reviewEvent } from './opening.js';
import { appealableUntil, fieldsOf, type Reviewer, refuseBiased } from './rules.js';
import {
  isAskedByRule,
  isReviewClaimed,
  type ReviewFilter,
  type ReviewRow,
  type ReviewStore,
  toReview,
} from './store.js';

/** Access of a caller to the parts of a review. */
interface ReviewReader {
  /** The text of transcripts. */
  readonly words: boolean;
  /** The notes of moderators, on the review and on sanctions. */
  readonly notes: boolean;
  readonly sanctionNotes: boolean;
  /** The case with its reports. */
  readonly reports: boolean;
  /** The names of accounts. */
  readonly accounts: boolean;
}

interface ReviewRevocation {
  readonly revokedAt: Date;
  readonly revokedByUserId: string;
  readonly revokeReason: string;
}

/** Reads messages that are evidence for a sanction. */
export interface Evidence {
  messagesAround(sanction: Sanction): Promise<{ messages: Message[]; transcript: Message[] }>;
}

interface AskedReview {
  readonly reviewId: string;
  /** A rule asked, not a person. */
  readonly isByRule: boolean;
  readonly evidence: Sanction['evidence'];
}

interface ReviewServiceNeeds {
  readonly database: Database;
  readonly log: EventLog;
  readonly reviews: ReviewStore;
  readonly takenBack: Pick<SanctionsTakenBack, 'unfoundedAppeals'>;
  readonly opening: ReviewOpening;
  readonly sanctions: Pick<
    SanctionService,
    'evidenceOf' | 'find' | 'isAbout' | 'authorsOf' | 'naming' | 'revokeIn' | 'restoreIn'
  >;
  readonly people: Pick<ParticipantDirectory, 'lock' | 'matching'>;
  readonly enforcer: Pick<RoomEnforcer, 'applied'>;
  readonly evidence: Evidence;
  readonly cases: ReviewCases;
  readonly misuse: Pick<AppealMisuse, 'appealsChanged' | 'appealsSuspendedUntil'>;
  readonly accounts: Pick<AccountDirectory, 'behind' | 'names'>;
  readonly decided: CaseReader;
  readonly rows: Pick<SanctionStore, 'find'>;
  readonly statements: Pick<StatementWriter, 'sent'>;
  readonly holders: ClaimHolders;
  readonly now: Clock;
}

export class ReviewService {
  constructor(private readonly needs: ReviewServiceNeeds) {}

  async list(
    projectId: string,
    reader: Pick<ReviewReader, 'notes'>,
    query: Omit<ReviewFilter, 'matching'> & RowPage & { readonly search?: string | undefined },
  ): Promise<ReviewListResponse> {
    const { limit, offset, after, search, ...fields } = query;
    const matching =
      search === undefined ? undefined : { people: await this.needs.people.matching(projectId, search), text: search };
    const filter = { ...fields, matching };
    const now = this.needs.now();
    const gone = await this.goneHolders(projectId, now);
    const [rows, total] = await Promise.all([
      this.needs.reviews.list(projectId, filter, now, { limit, offset, after }, gone),
      this.needs.reviews.count(projectId, filter, now, gone),
    ]);
    return { reviews: rows.map((row) => shown(row, now, reader, gone)), total, limit, offset };
  }

  /** With the transcript text and notes that the caller may read. Throws review_not_found. */
  async get(projectId: string, id: string, reader: ReviewReader): Promise<ReviewDetail> {
    const row = await this.needs.reviews.find(projectId, id);
    if (row === null) throw new DomainError('review_not_found');
    const notes = { moderator: reader.sanctionNotes, accounts: reader.accounts };
    const sanction = await this.needs.sanctions.find(projectId, row.sanctionId, notes);
    const { caseId = null } = sanction ?? {};
    const said =
      sanction !== null && reader.words
        ? await this.needs.evidence.messagesAround(sanction)
        : { messages: [], transcript: [] };
    const now = this.needs.now();
    return {
      ...shown(row, now, reader, await this.goneHolders(projectId, now)),
      sanction,
      createdBy: reader.accounts ? await this.nameOf(row) : null,
      told: await this.toldOf(projectId, row.sanctionId),
      case: caseId === null || !reader.reports ? null : await this.needs.decided.of(projectId, caseId),
      consequences: await this.needs.sanctions.naming(projectId, id, notes),
      ...said,
    };
  }

  /**
   * Throws review_not_found, review_claimed, review_not_claimed, review_decided, review_decision_required,
   * appeal_person_required, appeal_own_sanction, appeal_answer_required, appeal_not_unfounded.
   */
  async update(projectId: string, id: string, reviewer: Reviewer, request: UpdateReviewRequest): Promise<Review> {
    const gone = await this.goneHolder(projectId, id, reviewer, request);
    const { review, sanctions } = await this.needs.database.transaction(async (tx) => {
      const now = this.needs.now();
      const row = (await this.needs.reviews.lock(tx, projectId, id, now))
        ? await this.needs.reviews.find(projectId, id, tx)
        : null;
      if (row === null) throw new DomainError('review_not_found');
      const fields = fieldsOf(row, request, reviewer, now, gone);
      if (row.kind === 'appeal') {
        const authors = await this.needs.sanctions.authorsOf(tx, projectId, row.sanctionId);
        const proposer = await this.needs.cases.proposerOf(tx, row);
        const all = proposer === null ? authors : [...authors, proposer];
        refuseBiased(request, reviewer, await this.needs.accounts.behind(tx, all));
      }
      const { externalUserId } = row;
      const isCounted = externalUserId !== null && (row.isUnfounded || request.unfounded === true);
      const before = isCounted ? await this.needs.takenBack.unfoundedAppeals(projectId, externalUserId, tx) : [];
      const after = await this.needs.reviews.update(tx, id, fields);
      if (isCounted) await this.tellOfMisuse(tx, after, externalUserId, before);
      const changed = [
        ...(row.decision === 'overturned' && after.decision === null ? await this.restore(tx, row) : []),
        ...(request.decision === 'overturned' ? await this.overturn(tx, projectId, [after]) : []),
      ];
      if (request.status === 'decided') await this.needs.cases.reviewsDecided(tx, projectId, [id], reviewer.id);
      else if (row.status === 'decided') await this.needs.cases.addReviews(tx, [after]);
      await this.needs.log.append(tx, reviewEvent('review.updated', after, now, row));
      return { review: shown(after, now, { notes: true }), sanctions: changed };
    });
    await this.needs.enforcer.applied(sanctions);
    return review;
  }

  /** Returns those of the ids that are still reviews of the project. */
  existingIn = (tx: Transaction, projectId: string, ids: readonly string[]): Promise<ReviewRow[]> =>
    this.needs.reviews.byIds(projectId, ids, tx);

  /** Returns what was asked about a person by these reviews, oldest first, with the evidence that it was asked with; no appeals. */
  async askedWith(projectId: string, ids: readonly string[], externalUserId: string | null): Promise<AskedReview[]> {
    const rows = (await this.needs.reviews.byIds(projectId, ids)).filter(
      (row) => row.kind === 'human_review' && row.externalUserId === externalUserId,
    );
    const sanctionIds = rows.map(({ sanctionId }) => sanctionId);
    const evidence = await this.needs.sanctions.evidenceOf(projectId, sanctionIds);
    return rows.map((row) => ({
      reviewId: row.id,
      isByRule: isAskedByRule(row),
      evidence: evidence.get(row.sanctionId) ?? null,
    }));
  }

  /** Returns the reviews among the ids, oldest first, without notes. */
  async named(projectId: string, ids: readonly string[]): Promise<Review[]> {
    const now = this.needs.now();
    const gone = await this.goneHolders(projectId, now);
    return (await this.needs.reviews.byIds(projectId, ids)).map((row) => toReview(row, now, gone));
  }

  /**
   * Decides reviews in the transaction of a case, whoever has claimed them; appeals are not among them. What it returns applies
   * the changes in the rooms after the commit.
   */
  async decideIn(
    tx: Transaction,
    projectId: string,
    ids: readonly string[],
    { decision, actorId }: { readonly decision: ReviewDecision; readonly actorId: string },
  ): Promise<() => Promise<void>> {
    const now = this.needs.now();
    const decided = { status: 'decided', decision, decidedByUserId: actorId, decidedAt: now };
    const changes = await this.needs.reviews.decideAll(tx, projectId, ids, decided, now);
    const rows = changes.map(({ after }) => after);
    const sanctions = decision === 'overturned' ? await this.overturn(tx, projectId, rows) : [];
    const eventOf = ({ before, after }: (typeof changes)[number]) => reviewEvent('review.updated', after, now, before);
    await this.needs.log.append(tx, ...(await mapWithPauses(changes, eventOf)));
    return () => this.needs.enforcer.applied(sanctions);
  }

  /** Opens reviews again that were decided with their case, from a time on; returns them, and the sanctions in force again. */
  async reopenIn(tx: Transaction, projectId: string, ids: readonly string[], decidedSince: Date) {
    const now = this.needs.now();
    const rows = (await this.needs.reviews.byIds(projectId, ids, tx)).filter(
      (row) => row.kind === 'human_review' && row.decidedAt !== null && row.decidedAt >= decidedSince,
    );
    const sanctions: Sanction[] = [];
    for (const row of rows) {
      const open = { status: 'open', decision: null, decidedByUserId: null, decidedAt: null, updatedAt: now };
      const after = await this.needs.reviews.update(tx, row.id, { ...open, claimedByUserId: null, claimedAt: null });
      if (row.decision === 'overturned') sanctions.push(...(await this.restore(tx, row)));
      await this.needs.log.append(tx, reviewEvent('review.updated', after, now, row));
    }
    return { ids: rows.map(({ id }) => id), sanctions };
  }

  /**
   * Throws sanction_not_found, sanction_not_active, appeal_too_late, sanction_already_appealed, appeals_suspended.
   *
   * @param actorId who files it in the person's name, which no suspension stops; null: the person
   */
  async appeal(projectId: string, sanctionId: string, actorId: string | null, statement: string): Promise<Review> {
    const sanction = await this.needs.sanctions.find(projectId, sanctionId);
    if (sanction === null) throw new DomainError('sanction_not_found');
    if (sanction.status === 'revoked')
      throw new DomainError('sanction_not_active', {
        message: 'The sanction has been revoked, so there is nothing to appeal.',
      });
    if (sanction.status === 'expired' && appealableUntil(sanction) < this.needs.now())
      throw new DomainError('appeal_too_late');
    const { externalUserId } = sanction;
    if (actorId === null && externalUserId !== null) await this.requireMayAppeal(projectId, externalUserId);
    const row = this.needs.opening.opened('appeal', sanction, actorId, statement);
    const prepared = await this.needs.reviews.prepare([row]);
    try {
      return await this.needs.database.transaction(async (tx) => {
        if (externalUserId !== null) await this.needs.people.lock(tx, projectId, [externalUserId]);
        // Their erasure deletes it; a move gives it another name.
        if (!(await this.needs.sanctions.isAbout(tx, projectId, sanctionId, externalUserId)))
          throw new DomainError('sanction_not_found');
        await this.needs.reviews.insert(tx, prepared);
        await this.needs.cases.addReviews(tx, [row]);
        await this.needs.log.append(tx, reviewEvent('review.created', row, row.createdAt));
        return shown(row, row.createdAt, { notes: true });
      });
    } catch (error) {
      throw isUniqueViolation(error) ? new DomainError('sanction_already_appealed') : error;
    }
  }

  async history(projectId: string, externalUserId: string, take: number): Promise<HistoryEntry[]> {
    const rows = await this.needs.reviews.newestOf(projectId, externalUserId, take);
    return rows.flatMap(({ id, kind, statement, createdAt, decidedAt, decision }): HistoryEntry[] => {
      const entry = (at: Date, what: string): HistoryEntry => ({
        at: at.toISOString(),
        kind: 'review',
        what,
        resourceId: `review:${id}`,
        partOf: null,
      });
      const opened = entry(createdAt, `${kind === 'appeal' ? 'appealed' : 'review asked for'}${withText(statement)}`);
      return decidedAt === null ? [opened] : [opened, entry(decidedAt, `review decided: ${decision}`)];
    });
  }

  private async toldOf(projectId: string, sanctionId: string): Promise<ToldPerson | null> {
    const row = await this.needs.rows.find(projectId, sanctionId);
    return row === null ? null : this.needs.statements.sent(row);
  }

  private async nameOf({ tenantId, createdByUserId: by }: ReviewRow): Promise<string | null> {
    return by === null ? null : ((await this.needs.accounts.names(tenantId, [by])).get(by) ?? null);
  }

  private async goneHolders(projectId: string, now: Date): Promise<GoneHolders> {
    return this.needs.holders.goneAmong(projectId, await this.needs.reviews.holders(projectId, now));
  }

  /** Returns the holder of the review's claim who cannot moderate any more, where somebody else claims it. */
  private async goneHolder(projectId: string, id: string, { id: ownId }: Reviewer, { status }: UpdateReviewRequest) {
    if (status !== 'claimed') return null;
    const row = await this.needs.reviews.find(projectId, id);
    const holder = row !== null && isReviewClaimed(row, this.needs.now()) ? row.claimedByUserId : null;
    return this.needs.holders.gone(projectId, holder === ownId ? null : holder);
  }

  /** Revokes the sanctions of reviews that one decision overturned. */
  private async overturn(tx: Transaction, projectId: string, rows: readonly ReviewRow[]): Promise<Sanction[]> {
    const [first] = rows;
    const revocation = first === undefined ? null : revocationBy(first);
    const ids = rows.map(({ sanctionId }) => sanctionId);
    return revocation === null ? [] : this.needs.sanctions.revokeIn(tx, projectId, ids, revocation);
  }

  private async restore(tx: Transaction, row: ReviewRow): Promise<Sanction[]> {
    const revocation = revocationBy(row);
    return revocation === null ? [] : this.needs.sanctions.restoreIn(tx, row.projectId, row.sanctionId, revocation);
  }

  /** Digital Services Act, Article 23(2). */
  private async requireMayAppeal(projectId: string, externalUserId: string): Promise<void> {
    const until = await this.needs.misuse.appealsSuspendedUntil(projectId, externalUserId);
    if (until !== null) throw refusalWhile('appeals_suspended', { reason: '', until });
  }

  /** @param before when the unfounded appeals were decided, before one was added or taken back */
  private async tellOfMisuse(tx: Transaction, row: ReviewRow, externalUserId: string, before: readonly Date[]) {
    const after = await this.needs.takenBack.unfoundedAppeals(row.projectId, externalUserId, tx);
    await this.needs.misuse.appealsChanged(tx, row, externalUserId, { before, after });
  }
}

/** How a decided review that overturned its sanction ended it. */
const revocationBy = ({ decidedAt, decidedByUserId }: ReviewRow): ReviewRevocation | null =>
  decidedAt === null || decidedByUserId === null
    ? null
    : { revokedAt: decidedAt, revokedByUserId: decidedByUserId, revokeReason: revokedByReview };

const shown = (
  row: ReviewRow,
  now: Date,
  { notes }: Pick<ReviewReader, 'notes'>,
  gone: GoneHolders = nobodyGone,
): Review => ({ ...toReview(row, now, gone), ...(notes ? { note: row.note } : {}) });

const withText = (text: string | null): string => (text === null || text === '' ? '' : `: ${text}`);
