import { ProjectCommand } from '../../../src/cli/command/command.js';
import { nameArgument } from '../../../src/cli/names/kinds.js';
import { named } from '../../../src/cli/names/moderators.js';
import { participantRecordRoutes } from '../../../src/contract/people/participant-records.js';

export default class ParticipantsNotesList extends ProjectCommand {
  static override summary = participantRecordRoutes.notes.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> u_42'];
  static override args = { user: nameArgument('participant') };

  async run(): Promise<void> {
    const { args } = await this.input(ParticipantsNotesList);
    const projectId = await this.projectId();
    const id = args.user;
    const answer = await this.client.call(participantRecordRoutes.notes, { params: { projectId, id } });
    const rows = this.common.json === true ? answer : await named(this.client, projectId, answer);
    this.list(answer, rows, ['createdAt', 'by', 'text', 'id']);
  }
}
