import { ProjectCommand } from '../../src/cli/command/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { confirm, yesFlag } from '../../src/cli/terminal/confirm.js';
import { webhookRoutes } from '../../src/contract/webhooks/webhooks.js';

export default class WebhooksDelete extends ProjectCommand {
  static override summary = webhookRoutes.remove.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> hooks.example',
    '<%= config.bin %> <%= command.id %> SUBSCRIPTION --yes',
  ];
  static override args = { webhook: nameArgument('webhook') };
  static override flags = yesFlag;

  async run(): Promise<void> {
    const { args, flags } = await this.input(WebhooksDelete);
    const params = { projectId: await this.projectId(), id: args.webhook };
    const { url, description } = await this.client.call(webhookRoutes.get, { params });
    await confirm(
      description ?? url,
      `This deletes the webhook to ${url} with its secret and its pending deliveries.`,
      flags,
    );
    this.show(await this.client.call(webhookRoutes.remove, { params }));
  }
}
