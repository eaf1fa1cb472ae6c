import { ProjectCommand } from '../../src/cli/command/command.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { WebhookListQuery, type WebhookSubscription, webhookRoutes } from '../../src/contract/webhooks/webhooks.js';

export default class WebhooksList extends ProjectCommand {
  static override summary = webhookRoutes.list.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> --failing',
    '<%= config.bin %> <%= command.id %> --search discord --no-enabled',
  ];
  static override flags = flagsFor(WebhookListQuery);

  async run(): Promise<void> {
    const { flags } = await this.input(WebhooksList);
    const answer = await this.client.call(webhookRoutes.list, {
      params: { projectId: await this.projectId() },
      query: requestFrom(WebhookListQuery, flags),
    });
    const rows = answer.map((webhook) => ({ ...webhook, state: stateOf(webhook) }));
    this.list(answer, rows, ['description', 'url', 'events', 'state', 'failingSince', 'id']);
  }
}

const stateOf = ({ enabled, disabledReason, failingSince }: WebhookSubscription): string => {
  if (!enabled) return `off: ${disabledReason ?? 'requested'}`;
  return failingSince === null ? 'on' : 'failing';
};
