import { Args } from '@oclif/core';
import { ProjectCommand } from '../../src/cli/command.js';
import { webhookRoutes } from '../../src/contract/webhooks/webhooks.js';

export default class WebhooksDisable extends ProjectCommand {
  static override summary = 'Disable a webhook subscription; its events are held for 7 days.';
  static override examples = ['<%= config.bin %> <%= command.id %> SUBSCRIPTION'];
  static override args = { id: Args.string({ required: true, description: 'Subscription id' }) };

  async run(): Promise<void> {
    const { args } = await this.input(WebhooksDisable);
    const params = { projectId: await this.projectId(), id: args.id };
    this.show(await this.client.call(webhookRoutes.update, { params, body: { enabled: false } }));
  }
}
