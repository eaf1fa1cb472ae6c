import { Args } from '@oclif/core';
import { ProjectCommand } from '../../src/cli/command.js';
import { webhookRoutes } from '../../src/contract/webhooks/webhooks.js';

export default class WebhooksDelete extends ProjectCommand {
  static override summary = webhookRoutes.remove.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> SUBSCRIPTION'];
  static override args = { id: Args.string({ required: true, description: 'Subscription id' }) };

  async run(): Promise<void> {
    const { args } = await this.input(WebhooksDelete);
    this.show(
      await this.client.call(webhookRoutes.remove, {
        params: { projectId: await this.projectId(), id: args.id },
      }),
    );
  }
}
