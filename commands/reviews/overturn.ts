import { DecideReview } from '../../src/cli/moderation/reviews.js';

export default class ReviewsOverturn extends DecideReview {
  static override summary = 'Overturn a sanction: decide a review that you claimed; the sanction is revoked.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> REVIEW',
    '<%= config.bin %> <%= command.id %> APPEAL --answer "It was somebody else at your microphone."',
  ];

  protected readonly change = { status: 'decided', decision: 'overturned' } as const;
}
