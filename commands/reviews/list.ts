import { ProjectCommand } from '../../src/cli/command.js';
import { flagsFor, requestFrom } from '../../src/cli/fields.js';
import { reviewRoutes } from '../../src/contract/moderation/reviews.js';

export default class ReviewsList extends ProjectCommand {
  static override summary = reviewRoutes.list.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> --status open'];
  static override flags = flagsFor(reviewRoutes.list.query);

  async run(): Promise<void> {
    const { flags } = await this.input(ReviewsList);
    const answer = await this.client.call(reviewRoutes.list, {
      params: { projectId: await this.projectId() },
      query: requestFrom(reviewRoutes.list.query, flags),
    });
    this.list(answer, answer.reviews, ['id', 'kind', 'status', 'externalUserId', 'createdAt', 'statement']);
  }
}
