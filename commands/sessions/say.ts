import { ProjectCommand } from '../../src/cli/command/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { CreateMessageRequest, sessionRoutes } from '../../src/contract/sessions/sessions.js';

export default class SessionsSay extends ProjectCommand {
  static override summary = sessionRoutes.say.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> SESSION --external-user-id u_42 --content "hello"'];
  static override args = { session: nameArgument('session') };
  static override flags = flagsFor(CreateMessageRequest);

  async run(): Promise<void> {
    const { args, flags } = await this.input(SessionsSay);
    const answer = await this.client.call(sessionRoutes.say, {
      params: { projectId: await this.projectId(), id: args.session },
      body: requestFrom(CreateMessageRequest, flags),
    });
    this.show(answer, ['id', 'senderName', 'content', 'timestamp']);
  }
}
