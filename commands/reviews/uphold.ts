import * as Flags from '@oclif/core/flags';
import { DecideReview } from '../../src/cli/moderation/reviews.js';
import { stated } from '../../src/cli/typed/fields.js';

export default class ReviewsUphold extends DecideReview {
  static override summary = 'Uphold a sanction: decide a review that you claimed; the sanction stays.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> REVIEW',
    '<%= config.bin %> <%= command.id %> APPEAL --answer "The recording shows that you were warned twice."',
  ];

  static override flags = {
    ...DecideReview.flags,
    unfounded: Flags.boolean({
      description: 'The appeal is manifestly unfounded: several suspend appeals of the person',
    }),
  };

  override async run(): Promise<void> {
    const { args, flags } = await this.input(ReviewsUphold);
    const { note, answer, unfounded } = flags;
    await this.update(args.review, stated({ note, answer, unfounded: unfounded || undefined }));
  }

  protected readonly change = { status: 'decided', decision: 'upheld' } as const;
}
