import { UpdateReview } from '../../src/cli/moderation/reviews.js';

export default class ReviewsClaim extends UpdateReview {
  static override summary =
    'Claim a review for half an hour, so that nobody else decides it; claim it again to have it longer.';
  static override examples = ['<%= config.bin %> <%= command.id %> REVIEW'];

  protected readonly change = { status: 'claimed' } as const;
}
