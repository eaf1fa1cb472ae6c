import { GatheringCommand, gatheringArgument, invitationColumns } from '../../src/cli/gatherings.js';
import { gatheringInvitationRoutes } from '../../src/contract/gatherings/gathering-invitations.js';

export default class GatheringsInvitations extends GatheringCommand {
  static override summary = gatheringInvitationRoutes.list.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> GATHERING'];
  static override args = { gathering: gatheringArgument };

  async run(): Promise<void> {
    const { args } = await this.input(GatheringsInvitations);
    const projectId = await this.projectId();
    const params = { projectId, id: args.gathering };
    const invitations = await this.client.call(gatheringInvitationRoutes.list, { params });
    this.list(invitations, invitations, invitationColumns);
  }
}
