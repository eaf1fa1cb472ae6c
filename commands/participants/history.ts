import { ProjectCommand } from '../../src/cli/command/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { moderatorNames } from '../../src/cli/names/moderators.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { participantRecordRoutes } from '../../src/contract/people/participant-records.js';
import { withMoments } from '../../src/terminal/shown-times.js';

const ids = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;

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
    const projectId = await this.projectId();
    const answer = await this.client.call(participantRecordRoutes.history, {
      params: { projectId, id: args.user },
      query: requestFrom(participantRecordRoutes.history.query, flags),
    });
    const rows = this.common.json === true ? answer : await this.readable(projectId, answer);
    this.list(answer, rows, ['at', 'kind', 'what']);
  }

  /** Shows authors by name, and, on a terminal, times as a clock shows them. */
  private async readable<Row extends { readonly what: string }>(projectId: string, entries: readonly Row[]) {
    const { isTerminal, now } = this.screen;
    const nameOf = await moderatorNames(this.client, projectId);
    return entries.map((entry) => {
      const what = entry.what.replaceAll(ids, (id) => nameOf(id) ?? id);
      return { ...entry, what: isTerminal ? withMoments(what, now) : what };
    });
  }
}
