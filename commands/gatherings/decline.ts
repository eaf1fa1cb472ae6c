import * as Args from '@oclif/core/args';
import { GatheringCommand } from '../../src/cli/gatherings/gatherings.js';
import { gatheringInvitationRoutes } from '../../src/contract/gatherings/gathering-invitations.js';

export default class GatheringsDecline extends GatheringCommand {
  static override summary = gatheringInvitationRoutes.decline.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> INVITATION'];
  static override args = { invitation: Args.string({ required: true, description: 'Invitation id' }) };

  async run(): Promise<void> {
    const { args } = await this.input(GatheringsDecline);
    const params = { projectId: await this.projectId(), invitationId: args.invitation };
    await this.client.call(gatheringInvitationRoutes.decline, { params });
    this.logToStderr('Declined.');
  }
}
