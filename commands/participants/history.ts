import { ProjectCommand } from '../../src/cli/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { participantRecordRoutes } from '../../src/contract/people/participant-records.js';

export default class ParticipantsHistory extends ProjectCommand {
  static override summary = participantRecordRoutes.history.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> u_42',
    '<%= config.bin %> <%= command.id %> bob --kind sanction --since "last month"',
  ];
  static override args = { user: nameArgument('participant') };
  static override flags = flagsFor(participantRecordRoutes.history.query);

  async run(): Promise<void> {
    const { args, flags } = await this.input(ParticipantsHistory);
    const answer = await this.client.call(participantRecordRoutes.history, {
      params: { projectId: await this.projectId(), id: args.user },
      query: requestFrom(participantRecordRoutes.history.query, flags),
    });
    this.list(answer, answer, ['at', 'kind', 'what']);
  }
}
