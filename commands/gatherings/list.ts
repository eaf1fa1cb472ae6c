import { gatheringColumns } from '../../src/cli/gatherings/gatherings.js';
import { ListCommand, listFlags } from '../../src/cli/terminal/listing.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { GatheringListQuery } from '../../src/contract/gatherings/gathering-search.js';
import { gatheringRoutes } from '../../src/contract/gatherings/gatherings.js';

export default class GatheringsList extends ListCommand {
  static override summary = gatheringRoutes.list.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> --status active',
    '<%= config.bin %> <%= command.id %> --user bob --since yesterday',
    `<%= config.bin %> <%= command.id %> --listed --search-properties '{"mode":"ranked"}'`,
  ];
  static override flags = { ...flagsFor(GatheringListQuery), ...listFlags };

  async run(): Promise<void> {
    const { flags } = await this.input(GatheringsList);
    const params = { projectId: await this.projectId() };
    const query = requestFrom(GatheringListQuery, flags);
    await this.showPages(flags, {
      fetch: (page) => this.client.call(gatheringRoutes.list, { params, query: { ...query, ...page } }),
      items: (answer) => answer.gatherings,
      columns: gatheringColumns,
    });
  }
}
