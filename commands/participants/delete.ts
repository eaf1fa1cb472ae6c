import { Args } from '@oclif/core';
import { ProjectCommand } from '../../src/cli/command.js';
import { participantRoutes } from '../../src/contract/people/participants.js';

export default class ParticipantsDelete extends ProjectCommand {
  static override summary = participantRoutes.remove.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> PARTICIPANT'];
  static override args = { id: Args.string({ required: true, description: 'Participant id' }) };

  async run(): Promise<void> {
    const { args } = await this.input(ParticipantsDelete);
    await this.client.call(participantRoutes.remove, {
      params: { projectId: await this.projectId(), id: args.id },
    });
    this.logToStderr('The participant is erased.');
  }
}
