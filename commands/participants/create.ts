import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { ProjectCommand } from '../../src/cli/command/command.js';
import { argumentOrFlag, flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { CreateParticipantRequest, participantRoutes } from '../../src/contract/people/participants.js';

export default class ParticipantsCreate extends ProjectCommand {
  static override summary = participantRoutes.create.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> u_42 --name Ann'];
  static override args = { user: Args.string({ description: "The project's own id of the person" }) };
  static override flags = {
    ...flagsFor(CreateParticipantRequest, ['externalUserId']),
    // Taken as typed: other commands look a name up.
    user: Flags.string({ description: 'Instead of the argument', aliases: ['external-user-id'] }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.input(ParticipantsCreate);
    const answer = await this.client.call(participantRoutes.create, {
      params: { projectId: await this.projectId() },
      body: requestFrom(CreateParticipantRequest, flags, {
        externalUserId: argumentOrFlag(args.user, flags.user, 'user'),
      }),
    });
    this.show(answer);
  }
}
