import { ProjectCommand } from '../../src/cli/command.js';
import { flagsFor, requestFrom } from '../../src/cli/fields.js';
import { webhookRoutes } from '../../src/contract/webhooks.js';

export default class WebhooksEvents extends ProjectCommand {
  static override summary = webhookRoutes.events.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> --status failed'];
  static override flags = flagsFor(webhookRoutes.events.query);

  async run(): Promise<void> {
    const { flags } = await this.input();
    const answer = await this.client.call(webhookRoutes.events, {
      params: { projectId: await this.projectId() },
      query: requestFrom(webhookRoutes.events.query, flags),
    });
    this.list(answer, answer, [
      'id',
      'eventType',
      'status',
      'attemptsCount',
      'nextAttemptAt',
      'lastError',
      'createdAt',
    ]);
  }
}
