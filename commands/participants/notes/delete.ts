import * as Args from '@oclif/core/args';
import { ProjectCommand } from '../../../src/cli/command/command.js';
import { nameArgument } from '../../../src/cli/names/kinds.js';
import { participantRecordRoutes } from '../../../src/contract/people/participant-records.js';

export default class ParticipantsNotesDelete extends ProjectCommand {
  static override summary = participantRecordRoutes.removeNote.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> u_42 NOTE'];
  static override args = {
    user: nameArgument('participant'),
    note: Args.string({ required: true, description: 'Note id' }),
  };

  async run(): Promise<void> {
    const { args } = await this.input(ParticipantsNotesDelete);
    const projectId = await this.projectId();
    const id = args.user;
    const noteId = args.note;
    await this.client.call(participantRecordRoutes.removeNote, { params: { projectId, id, noteId } });
    this.logToStderr('The note is deleted.');
  }
}
