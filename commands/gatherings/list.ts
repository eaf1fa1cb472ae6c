import { flagsFor, requestFrom } from '../../src/cli/fields.js';
import { GatheringCommand, gatheringColumns } from '../../src/cli/gatherings.js';
import { gatheringRoutes } from '../../src/contract/gatherings/gatherings.js';

export default class GatheringsList extends GatheringCommand {
  static override summary = gatheringRoutes.list.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> --status active',
    `<%= config.bin %> <%= command.id %> --listed --search-properties '{"mode":"ranked"}'`,
  ];
  static override flags = flagsFor(gatheringRoutes.list.query);

  async run(): Promise<void> {
    const { flags } = await this.input(GatheringsList);
    const answer = await this.client.call(gatheringRoutes.list, {
      params: { projectId: await this.projectId() },
      query: requestFrom(gatheringRoutes.list.query, flags),
    });
    this.list(answer, answer.gatherings, gatheringColumns);
  }
}
