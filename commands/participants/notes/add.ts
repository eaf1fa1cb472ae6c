import * as Args from '@oclif/core/args';
import { ProjectCommand } from '../../../src/cli/command/command.js';
import { nameArgument } from '../../../src/cli/names/kinds.js';
import { participantRecordRoutes } from '../../../src/contract/people/participant-records.js';

export default class ParticipantsNotesAdd extends ProjectCommand {
  static override summary = participantRecordRoutes.addNote.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> u_42 "Talked to them, they are sorry."'];
  static override args = {
    user: nameArgument('participant'),
    text: Args.string({ required: true, description: 'What other moderators should know' }),
  };

  async run(): Promise<void> {
    const { args } = await this.input(ParticipantsNotesAdd);
    const projectId = await this.projectId();
    const id = args.user;
    const body = { text: args.text };
    this.show(await this.client.call(participantRecordRoutes.addNote, { params: { projectId, id }, body }));
  }
}
