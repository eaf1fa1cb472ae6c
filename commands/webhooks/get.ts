import { ProjectCommand } from '../../src/cli/command/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { webhookRoutes } from '../../src/contract/webhooks/webhooks.js';

export default class WebhooksGet extends ProjectCommand {
  static override summary = webhookRoutes.get.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> SUBSCRIPTION'];
  static override args = { webhook: nameArgument('webhook') };

  async run(): Promise<void> {
    const { args } = await this.input(WebhooksGet);
    const params = { projectId: await this.projectId(), id: args.webhook };
    this.show(await this.client.call(webhookRoutes.get, { params }));
  }
}
