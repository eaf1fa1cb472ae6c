import * as Args from '@oclif/core/args';
import { EarshotCommand } from '../../src/cli/command/command.js';
import { annotationRoutes } from '../../src/contract/plugins/annotations.js';

export default class AnnotationsMessages extends EarshotCommand {
  static override summary = annotationRoutes.ofMessages.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> MESSAGE MESSAGE'];
  static override strict = false;
  static override args = { id: Args.string({ required: true, description: 'Message ids' }) };

  async run(): Promise<void> {
    const { argv } = await this.input(AnnotationsMessages);
    const answer = await this.client.call(annotationRoutes.ofMessages, { body: { messageIds: argv } });
    const rows = Object.values(answer).flat();
    this.list(answer, rows, ['messageId', 'createdAt', 'pluginSlug', 'type', 'content']);
  }
}
