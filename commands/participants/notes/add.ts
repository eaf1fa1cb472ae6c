import { Args } from '@oclif/core';
import { ProjectCommand } from '../../../src/cli/command.js';
import { user } from '../../../src/cli/moderation.js';
import { participantIdOf } from '../../../src/cli/people.js';
import { participantRecordRoutes } from '../../../src/contract/people/participant-records.js';

export default class ParticipantsNotesAdd extends ProjectCommand {
  static override summary = participantRecordRoutes.addNote.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> u_42 "Talked to them, they are sorry."'];
  static override args = {
    user,
    text: Args.string({ required: true, description: 'What other moderators should know' }),
  };

  async run(): Promise<void> {
    const { args } = await this.input(ParticipantsNotesAdd);
    const projectId = await this.projectId();
    const id = await participantIdOf(this.client, projectId, args.user);
    const body = { text: args.text };
    this.show(await this.client.call(participantRecordRoutes.addNote, { params: { projectId, id }, body }));
  }
}
