import { ProjectCommand } from '../../src/cli/command.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { ReplayWebhookEventsRequest, webhookRoutes } from '../../src/contract/webhooks/webhooks.js';

export default class WebhooksReplay extends ProjectCommand {
  static override summary = webhookRoutes.replay.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> SUBSCRIPTION --since 2026-01-31T12:00:00Z --until 2026-01-31T13:00:00Z',
  ];
  static override args = { webhook: nameArgument('webhook') };
  static override flags = flagsFor(ReplayWebhookEventsRequest);

  async run(): Promise<void> {
    const { args, flags } = await this.input(WebhooksReplay);
    const params = { projectId: await this.projectId(), id: args.webhook };
    // The range needs an end: without one it would grow by the events about its own deliveries while it is read.
    const { since, until = new Date().toISOString() } = requestFrom(ReplayWebhookEventsRequest, flags);
    let replay = await this.client.call(webhookRoutes.replay, { params, body: { since, until } });
    let { queued } = replay;
    while (!replay.complete && replay.lastEventId !== null) {
      replay = await this.client.call(webhookRoutes.replay, { params, body: { since: replay.lastEventId, until } });
      queued += replay.queued;
    }
    this.show({ ...replay, queued });
  }
}
