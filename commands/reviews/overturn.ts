import { DecideReview } from '../../src/cli/moderation/reviews.js';

export default class ReviewsOverturn extends DecideReview {
  static override summary = 'Lift a sanction: overturn a review or an appeal that you claimed.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> REVIEW',
    '<%= config.bin %> <%= command.id %> APPEAL --answer "It was somebody else at your microphone."',
  ];

  protected readonly change = { status: 'decided', decision: 'overturned' } as const;
}
