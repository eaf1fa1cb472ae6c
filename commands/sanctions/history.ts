import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { ProjectCommand } from '../../src/cli/command/command.js';
import { named } from '../../src/cli/names/moderators.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';

export default class SanctionsHistory extends ProjectCommand {
  static override summary = sanctionRoutes.ofUser.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> u_42',
    '<%= config.bin %> <%= command.id %> Bob --by-participant-id',
  ];
  static override args = {
    user: Args.string({ required: true, description: 'Somebody, by display name, external id or participant id' }),
  };
  static override flags = {
    'by-participant-id': Flags.boolean({ description: 'Skip sanctions imposed before they were a participant' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.input(SanctionsHistory);
    const projectId = await this.projectId();
    const answer = flags['by-participant-id']
      ? await this.client.call(sanctionRoutes.ofParticipant, {
          params: { projectId, participantId: await this.idOf('participant', args.user) },
        })
      : await this.client.call(sanctionRoutes.ofUser, {
          params: { projectId, externalUserId: await this.idOf('person', args.user) },
        });
    const rows = this.common.json === true ? answer : await named(this.client, projectId, answer);
    this.list(answer, rows, ['type', 'status', 'reason', 'by', 'startAt', 'endAt', 'revokeReason', 'id']);
  }
}
