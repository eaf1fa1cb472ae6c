import * as Args from '@oclif/core/args';
import { GatheringCommand, memberColumns, personArgument } from '../../src/cli/gatherings/gatherings.js';
import { gatheringInvitationRoutes } from '../../src/contract/gatherings/gathering-invitations.js';

export default class GatheringsAccept extends GatheringCommand {
  static override summary = gatheringInvitationRoutes.accept.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> INVITATION bob'];
  static override args = {
    invitation: Args.string({ required: true, description: 'Invitation id' }),
    person: personArgument,
  };

  async run(): Promise<void> {
    const { args } = await this.input(GatheringsAccept);
    const projectId = await this.projectId();
    const answer = await this.client.call(gatheringInvitationRoutes.accept, {
      params: { projectId, invitationId: args.invitation },
      body: { participantId: args.person },
    });
    this.list(answer, [answer.member], memberColumns);
  }
}
