import { ProjectCommand } from '../../src/cli/command/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { participantRoutes, UpdateParticipantRequest } from '../../src/contract/people/participants.js';

export default class ParticipantsUpdate extends ProjectCommand {
  static override summary = participantRoutes.update.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> PARTICIPANT --display-name Ann'];
  static override args = { user: nameArgument('participant') };
  static override flags = flagsFor(UpdateParticipantRequest);

  async run(): Promise<void> {
    const { args, flags } = await this.input(ParticipantsUpdate);
    const answer = await this.client.call(participantRoutes.update, {
      params: { projectId: await this.projectId(), id: args.user },
      body: requestFrom(UpdateParticipantRequest, flags),
    });
    this.show(answer);
  }
}
