import { GatheringCommand, gatheringArgument } from '../../src/cli/gatherings/gatherings.js';
import { gatheringRoutes } from '../../src/contract/gatherings/gatherings.js';

export default class GatheringsEnd extends GatheringCommand {
  static override summary = gatheringRoutes.end.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> GATHERING'];
  static override args = { gathering: gatheringArgument };

  async run(): Promise<void> {
    const { args } = await this.input(GatheringsEnd);
    const projectId = await this.projectId();
    const params = { projectId, id: args.gathering };
    const answer = await this.client.call(gatheringRoutes.end, { params });
    this.show(answer, ['id', 'name', 'status', 'roomId', 'sessionId']);
  }
}
