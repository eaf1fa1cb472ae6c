import { ListCommand, listFlags } from '../../src/cli/terminal/listing.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';

export default class SessionsList extends ListCommand {
  static override summary = sessionRoutes.list.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> --limit 20',
    '<%= config.bin %> <%= command.id %> --room demo --since yesterday --until today',
  ];
  static override flags = { ...flagsFor(sessionRoutes.list.query), ...listFlags };

  async run(): Promise<void> {
    const { flags } = await this.input(SessionsList);
    const params = { projectId: await this.projectId() };
    const query = requestFrom(sessionRoutes.list.query, flags);
    await this.showPages(flags, {
      fetch: (page) => this.client.call(sessionRoutes.list, { params, query: { ...query, ...page } }),
      items: (sessions) => sessions,
      columns: ['title', 'externalRoomId', 'status', 'bot.state', 'bot.cause', 'createdAt', 'id'],
    });
  }
}
