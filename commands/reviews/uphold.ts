import { DecideReview } from '../../src/cli/moderation/reviews.js';

export default class ReviewsUphold extends DecideReview {
  static override summary = 'Uphold a sanction: decide a review that you claimed; the sanction stays.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> REVIEW',
    '<%= config.bin %> <%= command.id %> APPEAL --answer "The recording shows that you were warned twice."',
  ];

  protected readonly change = { status: 'decided', decision: 'upheld' } as const;
}
