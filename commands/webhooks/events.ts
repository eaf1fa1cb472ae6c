import { ListCommand, listFlags } from '../../src/cli/terminal/listing.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { webhookEventRoutes } from '../../src/contract/webhooks/webhook-events.js';

export default class WebhooksEvents extends ListCommand {
  static override summary = webhookEventRoutes.list.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> --status failed',
    '<%= config.bin %> <%= command.id %> --webhook hooks.example --since yesterday',
  ];
  static override flags = { ...flagsFor(webhookEventRoutes.list.query), ...listFlags };

  async run(): Promise<void> {
    const { flags } = await this.input(WebhooksEvents);
    const params = { projectId: await this.projectId() };
    const query = requestFrom(webhookEventRoutes.list.query, flags);
    await this.showPages(flags, {
      fetch: (page) => this.client.call(webhookEventRoutes.list, { params, query: { ...query, ...page } }),
      items: (deliveries) => deliveries,
      columns: ['eventType', 'status', 'attemptsCount', 'lastError', 'nextAttemptAt', 'createdAt', 'id', 'eventId'],
    });
  }
}
