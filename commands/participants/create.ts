import { ProjectCommand } from '../../src/cli/command.js';
import { flagsFor, requestFrom } from '../../src/cli/fields.js';
import { CreateParticipantRequest, participantRoutes } from '../../src/contract/people/participants.js';

export default class ParticipantsCreate extends ProjectCommand {
  static override summary = participantRoutes.create.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> --external-user-id u_42 --display-name Ann'];
  static override flags = flagsFor(CreateParticipantRequest);

  async run(): Promise<void> {
    const { flags } = await this.input(ParticipantsCreate);
    const answer = await this.client.call(participantRoutes.create, {
      params: { projectId: await this.projectId() },
      body: requestFrom(CreateParticipantRequest, flags),
    });
    this.show(answer);
  }
}
