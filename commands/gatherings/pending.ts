import { GatheringCommand, personArgument } from '../../src/cli/gatherings/gatherings.js';
import { gatheringInvitationRoutes } from '../../src/contract/gatherings/gathering-invitations.js';

export default class GatheringsPending extends GatheringCommand {
  static override summary = gatheringInvitationRoutes.pending.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> bob'];
  static override args = { person: personArgument };

  async run(): Promise<void> {
    const { args } = await this.input(GatheringsPending);
    const projectId = await this.projectId();
    const query = { participantId: args.person };
    const invitations = await this.client.call(gatheringInvitationRoutes.pending, { params: { projectId }, query });
    await this.listInvitations(projectId, invitations);
  }
}
