import { ProjectCommand } from '../../src/cli/command.js';
import { flagsFor, requestFrom } from '../../src/cli/fields.js';
import { webhookEventRoutes } from '../../src/contract/webhooks/webhook-events.js';

export default class WebhooksEvents extends ProjectCommand {
  static override summary = webhookEventRoutes.list.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> --status failed'];
  static override flags = flagsFor(webhookEventRoutes.list.query);

  async run(): Promise<void> {
    const { flags } = await this.input(WebhooksEvents);
    const answer = await this.client.call(webhookEventRoutes.list, {
      params: { projectId: await this.projectId() },
      query: requestFrom(webhookEventRoutes.list.query, flags),
    });
    this.list(answer, answer, [
      'id',
      'eventId',
      'eventType',
      'status',
      'attemptsCount',
      'nextAttemptAt',
      'lastError',
      'createdAt',
    ]);
  }
}
