import { GatheringCommand, gatheringArgument } from '../../src/cli/gatherings/gatherings.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { gatheringInvitationRoutes } from '../../src/contract/gatherings/gathering-invitations.js';

export default class GatheringsInvitations extends GatheringCommand {
  static override summary = gatheringInvitationRoutes.list.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> GATHERING --status pending'];
  static override args = { gathering: gatheringArgument };
  static override flags = flagsFor(gatheringInvitationRoutes.list.query);

  async run(): Promise<void> {
    const { args, flags } = await this.input(GatheringsInvitations);
    const projectId = await this.projectId();
    const params = { projectId, id: args.gathering };
    const query = requestFrom(gatheringInvitationRoutes.list.query, flags);
    const invitations = await this.client.call(gatheringInvitationRoutes.list, { params, query });
    await this.listInvitations(projectId, invitations);
  }
}
