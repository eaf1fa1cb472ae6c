import { Args } from '@oclif/core';
import { EarshotCommand } from '../../src/cli/command.js';
import { annotationRoutes } from '../../src/contract/plugins/annotations.js';

export default class AnnotationsSession extends EarshotCommand {
  static override summary = annotationRoutes.ofSession.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> SESSION'];
  static override args = { id: Args.string({ required: true, description: 'Session id' }) };

  async run(): Promise<void> {
    const { args } = await this.input(AnnotationsSession);
    const answer = await this.client.call(annotationRoutes.ofSession, { params: { sessionId: args.id } });
    this.list(answer, answer, ['createdAt', 'pluginSlug', 'type', 'content']);
  }
}
