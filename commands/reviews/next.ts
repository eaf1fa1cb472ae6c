import { ProjectCommand } from '../../src/cli/command.js';
import { reviewView } from '../../src/cli/moderation/review-view.js';
import { moderatorNames } from '../../src/cli/names/moderators.js';
import { keyOf } from '../../src/cli/terminal/live/keyboard.js';
import { ask, canAsk } from '../../src/cli/terminal/secrets.js';
import { stated } from '../../src/cli/typed/fields.js';
import { NotUnderstood } from '../../src/cli/typed/not-understood.js';
import { pageLimitMax } from '../../src/contract/common.js';
import { type ReviewDetail, reviewRoutes, type UpdateReviewRequest } from '../../src/contract/moderation/reviews.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';

const moves = {
  u: { status: 'decided', decision: 'upheld' },
  o: { status: 'decided', decision: 'overturned' },
  r: { status: 'open' },
} as const satisfies Record<string, UpdateReviewRequest>;
const isMove = (key: string): key is keyof typeof moves => key in moves;
const keys = [...Object.keys(moves), 'n', 'q'];
const keysLine = 'u uphold (it stays)  o overturn (it ends)  r give back  n note  q keep and stop';

export default class ReviewsNext extends ProjectCommand {
  static override summary = 'Claim the review that has waited longest, and decide it with a single key.';
  static override description =
    'Goes on with the next one until none is open. Without a terminal it claims and shows one.';
  static override examples = ['<%= config.bin %> <%= command.id %>'];

  /** Given back in this walk: they are for somebody else. */
  private readonly released = new Set<string>();

  async run(): Promise<void> {
    await this.input(ReviewsNext);
    for (let walked = 0; ; walked += 1) {
      const review = await this.claim();
      if (review === null) {
        if (walked === 0) throw new NotUnderstood('No review is open.');
        this.logToStderr('No review is open any more.');
        return;
      }
      await this.tell(review);
      if (!canAsk() || this.common.json === true) return;
      const change = await this.asked();
      if (change === null) return;
      if (change.status === 'open') this.released.add(review.id);
      const { status, decision } = await this.client.call(reviewRoutes.update, {
        params: await this.of(review.id),
        body: change,
      });
      this.logToStderr(decision ?? status);
    }
  }

  /** null: the review stays claimed, and nothing more is asked. */
  private async asked(): Promise<UpdateReviewRequest | null> {
    let note: string | undefined;
    for (;;) {
      this.logToStderr(`\n${keysLine}`);
      const key = await keyOf(keys);
      if (isMove(key)) return { ...moves[key], ...stated({ note }) };
      if (key === 'q') return null;
      note = await ask('Note, for moderators', 'reviews uphold --note');
    }
  }

  private async of(id: string) {
    return { projectId: await this.projectId(), id };
  }

  /** The oldest open one. Somebody else may claim it first: then the one behind it. */
  private async claim(): Promise<ReviewDetail | null> {
    const params = { projectId: await this.projectId() };
    const { reviews } = await this.client.call(reviewRoutes.list, {
      params,
      query: { status: 'open', limit: pageLimitMax },
    });
    for (const { id } of reviews.filter((one) => !this.released.has(one.id))) {
      const body = { status: 'claimed' } as const;
      const claimed = await this.client
        .call(reviewRoutes.update, { params: { ...params, id }, body })
        .catch((error: unknown) => {
          if (error instanceof Error && 'code' in error && error.code === 'review_claimed') return null;
          throw error;
        });
      if (claimed !== null) return this.client.call(reviewRoutes.get, { params: { ...params, id } });
    }
    return null;
  }

  private async tell(review: ReviewDetail): Promise<void> {
    if (this.common.json === true) {
      this.show(review);
      return;
    }
    const { projectId } = await this.of(review.id);
    const { externalUserId } = review;
    const ofPerson =
      externalUserId === null
        ? []
        : await this.client.call(sanctionRoutes.ofUser, { params: { projectId, externalUserId } });
    const nameOf = await moderatorNames(this.client, projectId);
    this.log(reviewView(review, { ofPerson, nameOf }, this.screen));
  }
}
