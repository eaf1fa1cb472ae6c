import { UpdateReview } from '../../src/cli/moderation/reviews.js';

export default class ReviewsClaim extends UpdateReview {
  static override summary = 'Claim a review for half an hour, so that nobody else decides it.';
  static override description = 'Claim it again to have it for longer.';
  static override examples = ['<%= config.bin %> <%= command.id %> REVIEW'];

  protected readonly change = { status: 'claimed' } as const;
}
