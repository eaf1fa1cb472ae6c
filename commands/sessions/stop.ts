import { ProjectCommand } from '../../src/cli/command/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';

export default class SessionsStop extends ProjectCommand {
  static override summary = sessionRoutes.stop.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> SESSION'];
  static override args = { session: nameArgument('session') };

  async run(): Promise<void> {
    const { args } = await this.input(SessionsStop);
    this.show(
      await this.client.call(sessionRoutes.stop, { params: { projectId: await this.projectId(), id: args.session } }),
    );
  }
}
