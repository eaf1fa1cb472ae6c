import { MoveReview } from '../../src/cli/moderation/reviews.js';

export default class ReviewsOverturn extends MoveReview {
  static override summary = 'Overturn a sanction: decide a review that you claimed; the sanction is revoked.';
  static override examples = ['<%= config.bin %> <%= command.id %> REVIEW'];

  protected readonly change = { status: 'decided', decision: 'overturned' } as const;
}
