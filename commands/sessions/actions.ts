import { ProjectCommand } from '../../src/cli/command/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { sessionActionRoutes } from '../../src/contract/plugins/session-actions.js';

export default class SessionsActions extends ProjectCommand {
  static override summary = sessionActionRoutes.list.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> SESSION'];
  static override args = { session: nameArgument('session') };

  async run(): Promise<void> {
    const { args } = await this.input(SessionsActions);
    const params = { projectId: await this.projectId(), id: args.session };
    const answer = await this.client.call(sessionActionRoutes.list, { params });
    const rows = answer.plugins.flatMap(({ slug, actions }) => actions.map((action) => ({ plugin: slug, ...action })));
    this.list(answer, rows, ['plugin', 'type', 'status', 'startedAt', 'durationMs', 'error']);
  }
}
