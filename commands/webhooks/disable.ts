import { ProjectCommand } from '../../src/cli/command/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { webhookRoutes } from '../../src/contract/webhooks/webhooks.js';

export default class WebhooksDisable extends ProjectCommand {
  static override summary = 'Disable a webhook subscription; its events are held for 7 days.';
  static override examples = ['<%= config.bin %> <%= command.id %> SUBSCRIPTION'];
  static override args = { webhook: nameArgument('webhook') };

  async run(): Promise<void> {
    const { args } = await this.input(WebhooksDisable);
    const params = { projectId: await this.projectId(), id: args.webhook };
    this.show(await this.client.call(webhookRoutes.update, { params, body: { enabled: false } }));
  }
}
