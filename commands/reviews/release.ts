import { MoveReview } from '../../src/cli/moderation/reviews.js';

export default class ReviewsRelease extends MoveReview {
  static override summary = 'Give a review back that you claimed.';
  static override examples = ['<%= config.bin %> <%= command.id %> REVIEW'];

  protected readonly change = { status: 'open' } as const;
}
