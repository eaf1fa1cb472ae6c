import * as Args from '@oclif/core/args';
import { attempted, DeliveryCommand } from '../../src/cli/webhooks/webhooks.js';
import { webhookEventRoutes } from '../../src/contract/webhooks/webhook-events.js';

export default class WebhooksResend extends DeliveryCommand {
  static override summary = webhookEventRoutes.resend.summary;
  static override description = 'Waits for the attempt and shows its result; exits with 1 unless it was delivered.';
  static override examples = ['<%= config.bin %> <%= command.id %> EVENT'];
  static override args = { id: Args.string({ required: true, description: 'Webhook event id' }) };

  async run(): Promise<void> {
    const { args } = await this.input(WebhooksResend);
    const params = { projectId: await this.projectId(), id: args.id };
    const { attemptsCount } = await this.client.call(webhookEventRoutes.resend, { params });
    const delivery = await attempted(this.client, params, attemptsCount);
    this.showDelivery(delivery);
    if (delivery.status !== 'delivered') this.exit(1);
  }
}
