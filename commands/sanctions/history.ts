import { Args, Flags } from '@oclif/core';
import { ProjectCommand } from '../../src/cli/command.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';

export default class SanctionsHistory extends ProjectCommand {
  static override summary = sanctionRoutes.ofUser.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> u_42',
    '<%= config.bin %> <%= command.id %> PARTICIPANT --by-participant-id',
  ];
  static override args = { user: Args.string({ required: true, description: 'External user id' }) };
  static override flags = {
    'by-participant-id': Flags.boolean({ description: 'The argument is the id of a participant' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.input(SanctionsHistory);
    const [projectId, id] = [await this.projectId(), args.user];
    const answer = flags['by-participant-id']
      ? await this.client.call(sanctionRoutes.ofParticipant, { params: { projectId, participantId: id } })
      : await this.client.call(sanctionRoutes.ofUser, { params: { projectId, externalUserId: id } });
    this.list(answer, answer, ['id', 'type', 'status', 'startAt', 'endAt', 'reason', 'revokeReason']);
  }
}
