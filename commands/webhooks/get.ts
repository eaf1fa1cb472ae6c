import { Args } from '@oclif/core';
import { ProjectCommand } from '../../src/cli/command.js';
import { webhookRoutes } from '../../src/contract/webhooks/webhooks.js';

export default class WebhooksGet extends ProjectCommand {
  static override summary = webhookRoutes.get.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> SUBSCRIPTION'];
  static override args = { id: Args.string({ required: true, description: 'Subscription id' }) };

  async run(): Promise<void> {
    const { args } = await this.input(WebhooksGet);
    const params = { projectId: await this.projectId(), id: args.id };
    this.show(await this.client.call(webhookRoutes.get, { params }));
  }
}
