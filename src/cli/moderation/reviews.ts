/** Shared parts of the commands that move a review. */
import * as Flags from '@oclif/core/flags';
import { reviewRoutes, type UpdateReviewRequest } from '../../contract/moderation/reviews.js';
import { ProjectCommand } from '../command/command.js';
import { nameArgument } from '../names/kinds.js';
import { namedRecord } from '../names/moderators.js';
import { stated } from '../typed/fields.js';
import { withWho } from './review-rows.js';

export abstract class UpdateReview extends ProjectCommand {
  static override args = { review: nameArgument('review') };
  static override flags = { note: Flags.string({ description: 'Note for moderators; the person never sees it' }) };

  protected abstract readonly change: UpdateReviewRequest;

  async run(): Promise<void> {
    const { args, flags } = await this.input(UpdateReview);
    await this.update(args.review, stated({ note: flags.note }));
  }

  protected async update(id: string, texts: Pick<UpdateReviewRequest, 'note' | 'answer' | 'unfounded'>): Promise<void> {
    const projectId = await this.projectId();
    const review = await this.client.call(reviewRoutes.update, {
      params: { projectId, id },
      body: { ...this.change, ...texts },
    });
    if (this.common.json === true) return this.show(review);
    const [known = review] = await withWho(this.client, projectId, [review]);
    const shown = await namedRecord(this.client, projectId, known);
    this.show(shown, ['who', 'kind', 'status', 'decision', 'claimedBy', 'sanctionId', 'id']);
  }
}

export abstract class DecideReview extends UpdateReview {
  static override flags = {
    ...UpdateReview.flags,
    answer: Flags.string({ description: 'Why it is decided so, for the person; an appeal needs it' }),
  };

  override async run(): Promise<void> {
    const { args, flags } = await this.input(DecideReview);
    await this.update(args.review, stated({ note: flags.note, answer: flags.answer }));
  }
}
