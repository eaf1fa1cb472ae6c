import * as Args from '@oclif/core/args';
import { GatheringCommand } from '../../src/cli/gatherings/gatherings.js';
import { gatheringRoutes } from '../../src/contract/gatherings/gatherings.js';

export default class GatheringsLookup extends GatheringCommand {
  static override summary = gatheringRoutes.lookup.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> abcd-efgh'];
  static override args = { code: Args.string({ required: true, description: 'Join code' }) };

  async run(): Promise<void> {
    const { args } = await this.input(GatheringsLookup);
    const params = { projectId: await this.projectId(), joinCode: args.code };
    this.showGathering(await this.client.call(gatheringRoutes.lookup, { params }));
  }
}
