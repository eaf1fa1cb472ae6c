import { Args } from '@oclif/core';
import { ProjectCommand } from '../../src/cli/command.js';
import { participantRoutes } from '../../src/contract/people/participants.js';

export default class ParticipantsGet extends ProjectCommand {
  static override summary = participantRoutes.get.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> PARTICIPANT'];
  static override args = { id: Args.string({ required: true, description: 'Participant id' }) };

  async run(): Promise<void> {
    const { args } = await this.input(ParticipantsGet);
    this.show(
      await this.client.call(participantRoutes.get, {
        params: { projectId: await this.projectId(), id: args.id },
      }),
    );
  }
}
