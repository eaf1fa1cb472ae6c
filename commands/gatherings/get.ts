import { gatheringView } from '../../src/cli/gatherings/gathering-view.js';
import { GatheringCommand, gatheringArgument, memberColumns } from '../../src/cli/gatherings/gatherings.js';
import { gatheringInvitationRoutes } from '../../src/contract/gatherings/gathering-invitations.js';
import { gatheringRoutes } from '../../src/contract/gatherings/gatherings.js';

export default class GatheringsGet extends GatheringCommand {
  static override summary = gatheringRoutes.get.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> ABCD-EFGH'];
  static override args = { gathering: gatheringArgument };

  async run(): Promise<void> {
    const { args } = await this.input(GatheringsGet);
    const projectId = await this.projectId();
    const params = { projectId, id: args.gathering };
    const gathering = await this.client.call(gatheringRoutes.get, { params, query: { includeMembers: 'true' } });
    if (this.common.json === true) return this.show(gathering);
    if (!this.screen.isTerminal) {
      const { members = [], ...fields } = gathering;
      this.show(fields);
      if (members.length === 0) return;
      this.log('\nMembers');
      return this.list(members, members, memberColumns);
    }
    this.log(gatheringView(gathering, await this.client.call(gatheringInvitationRoutes.list, { params }), this.screen));
  }
}
