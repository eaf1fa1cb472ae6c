/** Open reviews one after the other, the one that has waited longest first, with everything needed to decide each. */
import type { EarshotClient } from '../../../client/earshot-client.js';
import { ApiError } from '../../../client/errors.js';
import { pageLimitMax } from '../../../contract/common.js';
import { type Review, reviewRoutes, type UpdateReviewRequest } from '../../../contract/moderation/reviews.js';
import { sanctionRoutes } from '../../../contract/moderation/sanctions.js';
import { moderatorNames } from '../../names/moderators.js';
import type { ShownReview } from './case-screen.js';

/** Refusals of a claim: somebody else was faster, or somebody else has to decide the case. */
const notForThem: readonly string[] = ['review_claimed', 'appeal_own_sanction', 'appeal_person_required'];

export class CaseQueue {
  /** Given back by this moderator: they are for somebody else. */
  private readonly released = new Set<string>();

  constructor(
    private readonly client: EarshotClient,
    private readonly projectId: string,
  ) {}

  /** Claims the oldest open review that was not given back here and that they may decide. */
  async claim(): Promise<{ readonly next: ShownReview | null; readonly waiting: number }> {
    const { reviews, total } = await this.client.call(reviewRoutes.list, {
      params: { projectId: this.projectId },
      query: { status: 'open', limit: pageLimitMax },
    });
    for (const { id } of reviews.filter((one) => !this.released.has(one.id))) {
      const claimed = await this.update(id, { status: 'claimed' }).catch((error: unknown) => {
        if (error instanceof ApiError && notForThem.includes(error.code)) return null;
        throw error;
      });
      if (claimed !== null) return { next: await this.load(id), waiting: total - 1 };
    }
    return { next: null, waiting: total };
  }

  /** Gives a review back; it does not come again here. */
  async release(id: string): Promise<Review> {
    const review = await this.update(id, { status: 'open' });
    this.released.add(id);
    return review;
  }

  update(id: string, body: UpdateReviewRequest): Promise<Review> {
    return this.client.call(reviewRoutes.update, { params: { projectId: this.projectId, id }, body });
  }

  async load(id: string): Promise<ShownReview> {
    const { client, projectId } = this;
    const review = await client.call(reviewRoutes.get, { params: { projectId, id } });
    const { externalUserId } = review;
    const ofPerson =
      externalUserId === null
        ? []
        : await client.call(sanctionRoutes.ofUser, { params: { projectId, externalUserId } });
    return { review, context: { ofPerson, nameOf: await moderatorNames(client, projectId) } };
  }
}
