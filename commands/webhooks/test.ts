import { nameArgument } from '../../src/cli/names/kinds.js';
import { attempted, DeliveryCommand } from '../../src/cli/webhooks/webhooks.js';
import { webhookRoutes } from '../../src/contract/webhooks/webhooks.js';

export default class WebhooksTest extends DeliveryCommand {
  static override summary = webhookRoutes.test.summary;
  static override description =
    'Waits for the first attempt and shows its result; exits with 1 unless it was delivered.';
  static override examples = ['<%= config.bin %> <%= command.id %> SUBSCRIPTION'];
  static override args = { webhook: nameArgument('webhook') };

  async run(): Promise<void> {
    const { args } = await this.input(WebhooksTest);
    const projectId = await this.projectId();
    const { id } = await this.client.call(webhookRoutes.test, { params: { projectId, id: args.webhook } });
    const delivery = await attempted(this.client, { projectId, id }, 0);
    this.showDelivery(delivery);
    if (delivery.status !== 'delivered') this.checkFailed();
  }
}
