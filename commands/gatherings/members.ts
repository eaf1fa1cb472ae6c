import { GatheringCommand, gatheringArgument, memberColumns } from '../../src/cli/gatherings/gatherings.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { gatheringMemberRoutes } from '../../src/contract/gatherings/gathering-members.js';

export default class GatheringsMembers extends GatheringCommand {
  static override summary = gatheringMemberRoutes.list.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> GATHERING --status left'];
  static override args = { gathering: gatheringArgument };
  static override flags = flagsFor(gatheringMemberRoutes.list.query);

  async run(): Promise<void> {
    const { args, flags } = await this.input(GatheringsMembers);
    const projectId = await this.projectId();
    const params = { projectId, id: args.gathering };
    const query = requestFrom(gatheringMemberRoutes.list.query, flags);
    const members = await this.client.call(gatheringMemberRoutes.list, { params, query });
    this.list(members, members, memberColumns);
  }
}
