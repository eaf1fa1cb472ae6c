import { UpdateReview } from '../../src/cli/moderation/reviews.js';

export default class ReviewsRelease extends UpdateReview {
  static override summary = 'Release a review that you claimed, so that somebody else can decide it.';
  static override examples = ['<%= config.bin %> <%= command.id %> REVIEW'];

  protected readonly change = { status: 'open' } as const;
}
