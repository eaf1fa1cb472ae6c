import { ProjectCommand } from '../../src/cli/command.js';
import { flagsFor, requestFrom } from '../../src/cli/fields.js';
import { CreateWebhookSubscriptionRequest, webhookRoutes } from '../../src/contract/webhooks.js';

export default class WebhooksCreate extends ProjectCommand {
  static override summary = webhookRoutes.create.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> --url https://example.com/hook --secret SECRET --events "message.*"',
  ];
  static override flags = flagsFor(CreateWebhookSubscriptionRequest);

  async run(): Promise<void> {
    const { flags } = await this.input();
    const answer = await this.client.call(webhookRoutes.create, {
      params: { projectId: await this.projectId() },
      body: requestFrom(CreateWebhookSubscriptionRequest, flags),
    });
    this.show(answer);
  }
}
