import { ProjectCommand } from '../../src/cli/command/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';

export default class SessionsStart extends ProjectCommand {
  static override summary = sessionRoutes.start.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> SESSION'];
  static override args = { session: nameArgument('session') };

  async run(): Promise<void> {
    const { args } = await this.input(SessionsStart);
    this.show(
      await this.client.call(sessionRoutes.start, { params: { projectId: await this.projectId(), id: args.session } }),
    );
  }
}
