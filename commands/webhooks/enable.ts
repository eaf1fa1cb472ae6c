import { Args } from '@oclif/core';
import { ProjectCommand } from '../../src/cli/command.js';
import { webhookRoutes } from '../../src/contract/webhooks/webhooks.js';

export default class WebhooksEnable extends ProjectCommand {
  static override summary = 'Enable a webhook subscription; what was held for it is sent.';
  static override examples = ['<%= config.bin %> <%= command.id %> SUBSCRIPTION'];
  static override args = { id: Args.string({ required: true, description: 'Subscription id' }) };

  async run(): Promise<void> {
    const { args } = await this.input(WebhooksEnable);
    const params = { projectId: await this.projectId(), id: args.id };
    this.show(await this.client.call(webhookRoutes.update, { params, body: { enabled: true } }));
  }
}
