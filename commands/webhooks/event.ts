import { Args } from '@oclif/core';
import { ProjectCommand } from '../../src/cli/command.js';
import { webhookRoutes } from '../../src/contract/webhooks.js';

export default class WebhooksEvent extends ProjectCommand {
  static override summary = webhookRoutes.event.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> EVENT'];
  static override args = { id: Args.string({ required: true, description: 'Webhook event id' }) };

  async run(): Promise<void> {
    const { args } = await this.input();
    this.show(
      await this.client.call(webhookRoutes.event, { params: { projectId: await this.projectId(), id: args.id ?? '' } }),
    );
  }
}
