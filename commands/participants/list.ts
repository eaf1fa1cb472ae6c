import { ListCommand, listFlags } from '../../src/cli/terminal/listing.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { participantRoutes } from '../../src/contract/people/participants.js';

export default class ParticipantsList extends ListCommand {
  static override summary = participantRoutes.list.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> --search ann',
    '<%= config.bin %> <%= command.id %> --all',
  ];
  static override flags = { ...flagsFor(participantRoutes.list.query), ...listFlags };

  async run(): Promise<void> {
    const { flags } = await this.input(ParticipantsList);
    const params = { projectId: await this.projectId() };
    const query = requestFrom(participantRoutes.list.query, flags);
    await this.showPages(flags, {
      fetch: (page) => this.client.call(participantRoutes.list, { params, query: { ...query, ...page } }),
      items: (answer) => answer.participants,
      columns: ['displayName', 'externalUserId', 'joinedAt', 'id'],
    });
  }
}
