import { named } from '../../src/cli/names/moderators.js';
import { ListCommand, listFlags } from '../../src/cli/terminal/listing.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { sanctionBatchRoutes } from '../../src/contract/moderation/sanction-batches.js';

export default class SanctionsBatches extends ListCommand {
  static override summary = sanctionBatchRoutes.list.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --moderator ann@example.com --since yesterday',
    '<%= config.bin %> sanctions undo --last',
  ];
  static override flags = { ...flagsFor(sanctionBatchRoutes.list.query), ...listFlags };

  async run(): Promise<void> {
    const { flags } = await this.input(SanctionsBatches);
    const params = { projectId: await this.projectId() };
    const query = requestFrom(sanctionBatchRoutes.list.query, flags);
    await this.showPages(flags, {
      fetch: (page) => this.client.call(sanctionBatchRoutes.list, { params, query: { ...query, ...page } }),
      items: (answer) => answer.batches,
      rows: (batches) => named(this.client, params.projectId, batches),
      columns: ['batchId', 'sanctions', 'active', 'by', 'createdAt', 'undoneAt'],
    });
  }
}
