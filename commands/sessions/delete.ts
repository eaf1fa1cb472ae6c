import { ProjectCommand } from '../../src/cli/command/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { confirm, yesFlag } from '../../src/cli/terminal/confirm.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';

export default class SessionsDelete extends ProjectCommand {
  static override summary = sessionRoutes.remove.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> demo',
    '<%= config.bin %> <%= command.id %> SESSION --yes',
  ];
  static override args = { session: nameArgument('session') };
  static override flags = yesFlag;

  async run(): Promise<void> {
    const { args, flags } = await this.input(SessionsDelete);
    const params = { projectId: await this.projectId(), id: args.session };
    const { title, externalRoomId, createdAt } = await this.client.call(sessionRoutes.get, { params });
    const gone = `This deletes the session ${title} of room ${externalRoomId} from ${createdAt}, with its transcript and recordings.`;
    await confirm(title, gone, flags);
    await this.client.call(sessionRoutes.remove, { params });
    this.logToStderr('The session and its transcript are deleted.');
  }
}
