import { ProjectCommand } from '../../src/cli/command.js';
import { flagsFor, requestFrom } from '../../src/cli/fields.js';
import { participantRoutes } from '../../src/contract/people/participants.js';

export default class ParticipantsList extends ProjectCommand {
  static override summary = participantRoutes.list.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> --search ann'];
  static override flags = flagsFor(participantRoutes.list.query);

  async run(): Promise<void> {
    const { flags } = await this.input(ParticipantsList);
    const answer = await this.client.call(participantRoutes.list, {
      params: { projectId: await this.projectId() },
      query: requestFrom(participantRoutes.list.query, flags),
    });
    this.list(answer, answer.participants, ['id', 'externalUserId', 'displayName', 'joinedAt']);
  }
}
