import { ProjectCommand } from '../../src/cli/command/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { alikeRoutes } from '../../src/contract/people/alike.js';

export default class ParticipantsAlike extends ProjectCommand {
  static override summary = alikeRoutes.list.summary;
  static override description = alikeRoutes.list.description;
  static override examples = ['<%= config.bin %> <%= command.id %> bob'];
  static override args = { user: nameArgument('participant') };

  async run(): Promise<void> {
    const { args } = await this.input(ParticipantsAlike);
    const params = { projectId: await this.projectId(), id: args.user };
    const people = await this.client.call(alikeRoutes.list, { params });
    const rows = people.flatMap(({ displayName: name, externalUserId, hints }) =>
      hints.map(({ says: hint }) => ({ name, externalUserId, hint })),
    );
    this.list(people, rows, ['name', 'hint', 'externalUserId']);
    if (people.length > 0 && this.common.json !== true)
      this.logToStderr('These are hints, no proof: families share devices, and many share a network.');
  }
}
