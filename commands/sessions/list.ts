import { ProjectCommand } from '../../src/cli/command.js';
import { flagsFor, requestFrom } from '../../src/cli/fields.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';

export default class SessionsList extends ProjectCommand {
  static override summary = sessionRoutes.list.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> --limit 20'];
  static override flags = flagsFor(sessionRoutes.list.query);

  async run(): Promise<void> {
    const { flags } = await this.input(SessionsList);
    const answer = await this.client.call(sessionRoutes.list, {
      params: { projectId: await this.projectId() },
      query: requestFrom(sessionRoutes.list.query, flags),
    });
    this.list(answer, answer, ['id', 'title', 'externalRoomId', 'status', 'bot.state', 'bot.cause', 'createdAt']);
  }
}
