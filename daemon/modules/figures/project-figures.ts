/** What waits and what fails in a project, counted in the database: lists of the API end at 200 rows. */
import { type ProjectFigures, partsOfHour } from '../../../src/contract/figures/figures.js';
import type { Clock } from '../../platform/time/clock.js';
import { hourMs } from '../../platform/time/spans.js';
import type { ReviewStore } from '../moderation/reviews/store.js';
import type { SanctionStore } from '../moderation/sanctions/store.js';
import type { CaseStore } from '../reports/cases/case-store.js';
import type { SubscriptionStore } from '../webhooks/subscription-store.js';

interface ProjectFigureSources {
  readonly cases: Pick<CaseStore, 'waiting'>;
  readonly reviews: Pick<ReviewStore, 'waitingAppeals'>;
  readonly sanctions: Pick<SanctionStore, 'count' | 'countsSince'>;
  readonly subscriptions: Pick<SubscriptionStore, 'failing'>;
}

export class ProjectFigureService {
  constructor(
    private readonly sources: ProjectFigureSources,
    private readonly now: Clock,
  ) {}

  async figuresOf(projectId: string): Promise<ProjectFigures> {
    const { cases, reviews, sanctions, subscriptions } = this.sources;
    const now = this.now();
    const startOf = (part: number) => new Date(now.getTime() - hourMs + (part * hourMs) / partsOfHour);
    const later = Array.from({ length: partsOfHour - 1 }, (_, index) => startOf(index + 1));
    const [waiting, appeals, active, since, webhooks] = await Promise.all([
      cases.waiting(projectId),
      reviews.waitingAppeals(projectId),
      sanctions.count(projectId, { inForceAt: now }),
      sanctions.countsSince(projectId, [startOf(0), ...later]),
      subscriptions.failing(projectId),
    ]);
    return {
      at: now.toISOString(),
      cases: waiting,
      appeals,
      sanctions: {
        active,
        lastHour: since[0] ?? 0,
        parts: since.map((count, part) => count - (since[part + 1] ?? 0)),
      },
      webhooks,
    };
  }
}
