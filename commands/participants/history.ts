import { Flags } from '@oclif/core';
import { ProjectCommand } from '../../src/cli/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { historyMax, participantRecordRoutes } from '../../src/contract/people/participant-records.js';

export default class ParticipantsHistory extends ProjectCommand {
  static override summary = participantRecordRoutes.history.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> u_42'];
  static override args = { user: nameArgument('participant') };
  static override flags = {
    limit: Flags.integer({ description: 'Newest entries, so many of them', min: 1, max: historyMax, default: 200 }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.input(ParticipantsHistory);
    const projectId = await this.projectId();
    const id = args.user;
    const answer = await this.client.call(participantRecordRoutes.history, {
      params: { projectId, id },
      query: { limit: flags.limit },
    });
    this.list(answer, answer, ['at', 'kind', 'what']);
  }
}
