import { ProjectCommand } from '../../src/cli/command.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { CreateSessionRequest, sessionRoutes } from '../../src/contract/sessions/sessions.js';

export default class SessionsCreate extends ProjectCommand {
  static override summary = sessionRoutes.create.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> --title Demo --external-room-id demo'];
  static override flags = flagsFor(CreateSessionRequest);

  async run(): Promise<void> {
    const { flags } = await this.input(SessionsCreate);
    const answer = await this.client.call(sessionRoutes.create, {
      params: { projectId: await this.projectId() },
      body: requestFrom(CreateSessionRequest, flags),
    });
    this.show(answer, ['id', 'title', 'externalRoomId', 'status', 'bot']);
  }
}
