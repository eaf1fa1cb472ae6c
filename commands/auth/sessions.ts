import { EarshotCommand } from '../../src/cli/command/command.js';
import { consoleSessionRoutes } from '../../src/contract/identity/console-sessions.js';

export default class AuthSessions extends EarshotCommand {
  static override summary = consoleSessionRoutes.list.summary;
  static override examples = ['<%= config.bin %> <%= command.id %>'];

  async run(): Promise<void> {
    await this.input(AuthSessions);
    const answer = await this.client.call(consoleSessionRoutes.list, {});
    this.list(answer, answer, ['device', 'network', 'lastUsedAt', 'expiresAt', 'id']);
  }
}
