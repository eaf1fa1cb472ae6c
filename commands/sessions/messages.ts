import { ProjectCommand } from '../../src/cli/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { annotationLabel } from '../../src/client/annotation-label.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';

export default class SessionsMessages extends ProjectCommand {
  static override summary = sessionRoutes.messages.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> SESSION'];
  static override args = { session: nameArgument('session') };

  async run(): Promise<void> {
    const { args } = await this.input(SessionsMessages);
    const answer = await this.client.call(sessionRoutes.messages, {
      params: { projectId: await this.projectId(), id: args.session },
    });
    const rows = answer.map(({ annotations = [], ...message }) => ({
      ...message,
      annotations: annotations.map(annotationLabel),
    }));
    this.list(answer, rows, ['timestamp', 'senderName', 'content', 'origin', 'status', 'annotations']);
  }
}
