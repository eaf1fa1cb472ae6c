/** Overturns the open reviews that a rule asked for, a bounded number in each transaction: other writers wait for it. */
import type { MadeQuery } from '../../../../src/contract/common.js';
import type { Database } from '../../../platform/database/database.js';
import type { EventLog } from '../../../platform/events/log.js';
import type { Clock } from '../../../platform/time/clock.js';
import type { ReviewCases } from '../cases.js';
import { reviewEvent } from './opening.js';
import type { ReviewStore } from './store.js';

/** Sanctions that are looked at together; after an interruption the same call overturns the rest. */
const sanctionsPerPart = 200;

interface AskedByRule {
  /** The human_review sanctions that the rule imposed in this time, behind an id. */
  askedByRule(projectId: string, ruleId: string, made: MadeQuery, after: string, take: number): Promise<string[]>;
}

export interface ActedBy {
  readonly actorId: string;
  /** Kept as the note of reviews without one. */
  readonly reason: string | null;
}

export class RuleReviews {
  constructor(
    private readonly database: Database,
    private readonly log: Pick<EventLog, 'append'>,
    private readonly reviews: ReviewStore,
    private readonly cases: Pick<ReviewCases, 'reviewsDecided'>,
    private readonly sanctions: AskedByRule,
    private readonly now: Clock,
  ) {}

  /** Returns how many there were. Those that somebody has claimed are overturned too. */
  async overturn(projectId: string, ruleId: string, made: MadeQuery, by: ActedBy): Promise<number> {
    let overturned = 0;
    for await (const asked of this.asked(projectId, ruleId, made))
      overturned += await this.overturnPart(projectId, asked, by);
    return overturned;
  }

  /** Returns how many `overturn` would overturn. */
  async countOpen(projectId: string, ruleId: string, made: MadeQuery): Promise<number> {
    let open = 0;
    for await (const asked of this.asked(projectId, ruleId, made))
      open += await this.reviews.countUndecided(projectId, asked);
    return open;
  }

  private async *asked(projectId: string, ruleId: string, made: MadeQuery): AsyncGenerator<string[]> {
    for (let after = ''; ; ) {
      const asked = await this.sanctions.askedByRule(projectId, ruleId, made, after, sanctionsPerPart);
      if (asked.length > 0) yield asked;
      if (asked.length < sanctionsPerPart) return;
      after = asked.at(-1) ?? '';
    }
  }

  private overturnPart(
    projectId: string,
    sanctionIds: readonly string[],
    { actorId, reason }: ActedBy,
  ): Promise<number> {
    return this.database.transaction(async (tx) => {
      const now = this.now();
      const rows = await this.reviews.lockUndecided(tx, projectId, sanctionIds, now);
      const decided = { status: 'decided', decision: 'overturned', decidedByUserId: actorId, decidedAt: now };
      const events = [];
      for (const row of rows) {
        const after = await this.reviews.update(tx, row.id, { ...decided, note: row.note ?? reason });
        events.push(reviewEvent('review.updated', after, now, row));
      }
      const ids = rows.map(({ id }) => id);
      await this.cases.reviewsDecided(tx, projectId, ids, actorId);
      await this.log.append(tx, ...events);
      return rows.length;
    });
  }
}
