import { ProjectCommand } from '../../src/cli/command/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { webhookRoutes } from '../../src/contract/webhooks/webhooks.js';

export default class WebhooksEnable extends ProjectCommand {
  static override summary = 'Enable a webhook subscription; the events held for it are sent.';
  static override examples = ['<%= config.bin %> <%= command.id %> SUBSCRIPTION'];
  static override args = { webhook: nameArgument('webhook') };

  async run(): Promise<void> {
    const { args } = await this.input(WebhooksEnable);
    const params = { projectId: await this.projectId(), id: args.webhook };
    this.show(await this.client.call(webhookRoutes.update, { params, body: { enabled: true } }));
  }
}
