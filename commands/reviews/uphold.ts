import { MoveReview } from '../../src/cli/moderation/reviews.js';

export default class ReviewsUphold extends MoveReview {
  static override summary = 'Uphold a sanction: decide a review that you claimed; the sanction stays.';
  static override examples = ['<%= config.bin %> <%= command.id %> REVIEW'];

  protected readonly change = { status: 'decided', decision: 'upheld' } as const;
}
