import { UpdateReview } from '../../src/cli/moderation/reviews.js';

export default class ReviewsReopen extends UpdateReview {
  static override summary = 'Reopen a review that you decided; a sanction it overturned is in force again.';
  static override examples = ['<%= config.bin %> <%= command.id %> REVIEW'];
  protected readonly change = { status: 'claimed' } as const;
}
