import * as Args from '@oclif/core/args';
import { DeliveryCommand } from '../../src/cli/webhooks/webhooks.js';
import { webhookEventRoutes } from '../../src/contract/webhooks/webhook-events.js';

export default class WebhooksEvent extends DeliveryCommand {
  static override summary = webhookEventRoutes.get.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> EVENT'];
  static override args = { id: Args.string({ required: true, description: 'Webhook event id' }) };

  async run(): Promise<void> {
    const { args } = await this.input(WebhooksEvent);
    const params = { projectId: await this.projectId(), id: args.id };
    this.showDelivery(await this.client.call(webhookEventRoutes.get, { params }));
  }
}
