/** Sanctions that rules and cases impose: prepared beforehand, stored in the transaction of the decision. */
import type { MadeQuery } from '../../../../src/contract/common.js';
import { DomainError } from '../../../../src/contract/errors.js';
import type { Sanction, SanctionType } from '../../../../src/contract/moderation/sanction-record.js';
import type { CreateSanctionRequest } from '../../../../src/contract/moderation/sanctions.js';
import type { UndoneRule } from '../../../../src/contract/rules/rules.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { ProjectGrant } from '../../../platform/http/caller.js';
import type { Clock } from '../../../platform/time/clock.js';
import type { RuleReviews } from '../reviews/rule-reviews.js';
import type { DraftRequest, SanctionAuthor } from './basis.js';
import { refuseProgram, type SanctionDrafts } from './drafts.js';
import { preparedAnew, type SanctionIssuing } from './issuing.js';
import type { RoomEnforcer } from './room-enforcer.js';
import { parametersOf, termOf } from './rules.js';
import { type SanctionRow, typeOf } from './sanction-rows.js';
import type { SanctionStore } from './store.js';
import type { SanctionsTakenBack } from './taken-back.js';
import type { SanctionUndoing } from './undoing.js';

type Terms = Pick<CreateSanctionRequest, 'type' | 'duration' | 'parameters'>;
type DecidedTerms = Terms & Pick<CreateSanctionRequest, 'decidedBy'>;

const rule: SanctionAuthor = { id: null, isPerson: false };

interface PreparedSanctions {
  readonly sanctions: readonly Sanction[];
  /** The rows. */
  store(tx: Transaction): Promise<void>;
  /**
   * Appends their events. To be called after all rows of the transaction are stored: only further events may follow.
   */
  announce(tx: Transaction): Promise<void>;
  /** To be called after the commit. Resolves when the sanctions hold in the rooms. */
  applied(): Promise<void>;
}

export class AutomaticSanctions {
  constructor(
    private readonly drafts: SanctionDrafts,
    private readonly issuing: SanctionIssuing,
    private readonly sanctions: SanctionStore,
    private readonly enforcer: RoomEnforcer,
    private readonly undoing: SanctionUndoing,
    private readonly reviews: Pick<RuleReviews, 'overturn' | 'countOpen'>,
    private readonly takenBack: Pick<SanctionsTakenBack, 'among'>,
    private readonly now: Clock,
  ) {}

  /** Does work with prepared sanctions again where people were erased or moved in the meantime. */
  readonly preparedAnew = preparedAnew;

  /**
   * A sanction of a case, before it is proposed or imposed. Throws validation_failed, sanction_time_invalid,
   * sanction_parameters_invalid.
   */
  checkDecided(author: Pick<SanctionAuthor, 'isPerson'>, terms: DecidedTerms): void {
    refuseProgram(author, terms, 'body.sanction.decidedBy');
    this.check(terms);
  }

  /** Throws sanction_time_invalid, sanction_parameters_invalid. */
  check({ type, duration, parameters }: Terms): void {
    termOf(type, { startAt: new Date(0), durationSeconds: duration ?? null, endAt: null });
    parametersOf(type, parameters);
  }

  /** Throws the refusals of createSanction. */
  async prepare(
    grant: Pick<ProjectGrant, 'tenantId' | 'projectId'>,
    requests: readonly DraftRequest[],
    author: SanctionAuthor = rule,
  ): Promise<PreparedSanctions> {
    const rows = (await this.drafts.prepare(grant, author, requests)).map((draft) => {
      if (draft instanceof DomainError) throw draft;
      return draft;
    });
    const issue = await this.issuing.prepare(rows, author.id);
    return {
      sanctions: issue.sanctions,
      store: (tx) => this.issuing.storeRows(tx, issue),
      announce: (tx) => this.issuing.announce(tx, issue),
      applied: () => this.enforcer.applied(issue.sanctions),
    };
  }

  /** Those of the sanctions that were revoked, or overturned by a review after they had ended. */
  takenBackAmong(projectId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
    return this.takenBack.among(projectId, ids);
  }

  /**
   * Revokes what a rule imposed in this time, also what has ended, so that it has no more consequences, and says how much
   * had. Overturns the open reviews that
   * it asked for. A dry run only counts both.
   */
  async undo(
    projectId: string,
    ruleId: string,
    {
      actorId,
      reason = null,
      dryRun,
      ...made
    }: MadeQuery & { readonly actorId: string; readonly reason?: string | undefined | null; readonly dryRun: boolean },
  ): Promise<Omit<UndoneRule, 'ruleId'>> {
    if (dryRun) {
      const filter = { createdByRuleId: ruleId, ...made };
      const revoked = await this.sanctions.count(projectId, {
        ...filter,
        inStatus: { status: 'active', now: this.now() },
      });
      const ended = (await this.sanctions.count(projectId, filter)) - revoked;
      const erased = await this.undoing.countErased(projectId, filter);
      return {
        dryRun,
        revoked: revoked + erased,
        ended,
        reviews: await this.reviews.countOpen(projectId, ruleId, made),
      };
    }
    const filter = { createdByRuleId: ruleId, ...made };
    const erased = await this.undoing.countErased(projectId, filter);
    const revoked = await this.undoing.revokeAll(
      projectId,
      filter,
      (_, take) => this.sanctions.unrevokedOfRule(projectId, ruleId, made, take),
      { actorId, reason },
    );
    const all = (await this.sanctions.count(projectId, filter)) + erased;
    const reviews = await this.reviews.overturn(projectId, ruleId, made, { actorId, reason });
    return { dryRun, revoked, ended: Math.max(0, all - revoked), reviews };
  }

  /** The newest sanctions of a person of these kinds, created in this time and not taken back; without those of one rule. */
  async recent(
    projectId: string,
    externalUserId: string,
    asked: { after: Date; until: Date; types: readonly SanctionType[]; take: number },
    exceptRuleId: string | null = null,
  ) {
    const left: SanctionRow[] = [];
    for (let before: string | undefined; left.length < asked.take; ) {
      const filter = { ...asked, exceptRuleId, before };
      const rows = await this.sanctions.createdBetween(projectId, externalUserId, filter);
      const gone = await this.takenBackAmong(
        projectId,
        rows.map(({ id }) => id),
      );
      left.push(...rows.filter(({ id }) => !gone.has(id)));
      before = rows.at(-1)?.id;
      if (rows.length < asked.take) break;
    }
    const found = left.slice(0, asked.take);
    return found.map((row) => ({ id: row.id, type: typeOf(row), at: row.createdAt.toISOString() }));
  }
}
