import { ProjectCommand } from '../../src/cli/command/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';

export default class SessionsGet extends ProjectCommand {
  static override summary = sessionRoutes.get.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> SESSION'];
  static override args = { session: nameArgument('session') };

  async run(): Promise<void> {
    const { args } = await this.input(SessionsGet);
    this.show(
      await this.client.call(sessionRoutes.get, { params: { projectId: await this.projectId(), id: args.session } }),
    );
  }
}
