import { ProjectCommand } from '../../src/cli/command.js';
import { webhookRoutes } from '../../src/contract/webhooks/webhooks.js';

export default class WebhooksList extends ProjectCommand {
  static override summary = webhookRoutes.list.summary;
  static override examples = ['<%= config.bin %> <%= command.id %>'];

  async run(): Promise<void> {
    await this.input(WebhooksList);
    const answer = await this.client.call(webhookRoutes.list, { params: { projectId: await this.projectId() } });
    this.list(answer, answer, ['id', 'url', 'events', 'authType', 'enabled', 'failingSince', 'disabledReason']);
  }
}
