import { ProjectCommand } from '../../src/cli/command/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { annotationRoutes } from '../../src/contract/plugins/annotations.js';

export default class AnnotationsSession extends ProjectCommand {
  static override summary = annotationRoutes.ofSession.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> SESSION'];
  static override args = { session: nameArgument('session') };

  async run(): Promise<void> {
    const { args } = await this.input(AnnotationsSession);
    const answer = await this.client.call(annotationRoutes.ofSession, { params: { sessionId: args.session } });
    this.list(answer, answer, ['createdAt', 'pluginSlug', 'type', 'content']);
  }
}
