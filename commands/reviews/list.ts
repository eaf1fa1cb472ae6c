import { withWho } from '../../src/cli/moderation/review-rows.js';
import { named } from '../../src/cli/names/moderators.js';
import { ListCommand, listFlags } from '../../src/cli/terminal/listing.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { reviewRoutes } from '../../src/contract/moderation/reviews.js';

export default class ReviewsList extends ListCommand {
  static override summary = reviewRoutes.list.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> --status open'];
  static override flags = { ...flagsFor(reviewRoutes.list.query), ...listFlags };

  async run(): Promise<void> {
    const { flags } = await this.input(ReviewsList);
    const params = { projectId: await this.projectId() };
    const query = requestFrom(reviewRoutes.list.query, flags);
    await this.showPages(flags, {
      fetch: (page) => this.client.call(reviewRoutes.list, { params, query: { ...query, ...page } }),
      items: (answer) => answer.reviews,
      rows: async (reviews) => {
        const shown = flags.csv ? reviews : await withWho(this.client, params.projectId, reviews);
        return named(this.client, params.projectId, shown);
      },
      columns: ['who', 'kind', 'status', 'statement', 'claimedBy', 'createdAt', 'id'],
      csvColumns: ['externalUserId', 'kind', 'status', 'statement', 'claimedBy', 'createdAt', 'id'],
    });
  }
}
