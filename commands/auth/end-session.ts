import * as Args from '@oclif/core/args';
import { EarshotCommand } from '../../src/cli/command/command.js';
import { consoleSessionRoutes } from '../../src/contract/identity/console-sessions.js';

export default class AuthEndSession extends EarshotCommand {
  static override summary = consoleSessionRoutes.revoke.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> SESSION'];
  static override args = {
    session: Args.string({ description: 'Id of a console session, from `auth sessions`', required: true }),
  };

  async run(): Promise<void> {
    const { args } = await this.input(AuthEndSession);
    await this.client.call(consoleSessionRoutes.revoke, { params: { consoleSessionId: args.session } });
    this.logToStderr('The browser is signed out.');
  }
}
