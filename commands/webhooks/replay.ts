import { ProjectCommand } from '../../src/cli/command/command.js';
import { optionalNameArgument } from '../../src/cli/names/kinds.js';
import { askForTime, daemonNow } from '../../src/cli/typed/daemon-clock.js';
import { flagsFor, requestFrom, stated } from '../../src/cli/typed/fields.js';
import {
  ReplayWebhookEventsRequest,
  type WebhookReplay,
  type WebhookSubscription,
  webhookRoutes,
} from '../../src/contract/webhooks/webhooks.js';
import { UsageError } from '../../src/terminal/usage-error.js';

export default class WebhooksReplay extends ProjectCommand {
  static override summary = webhookRoutes.replay.summary;
  static override description =
    'With --failed, sends what was given up and what waits for its next attempt, of one subscription or of all, all at once.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> SUBSCRIPTION --since 2026-01-31T12:00:00Z --until 2026-01-31T13:00:00Z',
    '<%= config.bin %> <%= command.id %> --failed',
    '<%= config.bin %> <%= command.id %> hooks.example --failed --since yesterday',
  ];
  static override args = {
    webhook: optionalNameArgument('webhook', 'By address, host, description or id; default with --failed: every one'),
  };
  static override flags = flagsFor(ReplayWebhookEventsRequest);

  async run(): Promise<void> {
    const { args, flags } = await this.input(WebhooksReplay);
    const projectId = await this.projectId();
    if (args.webhook !== undefined) return this.show(await this.replay({ projectId, id: args.webhook }, flags));
    if (flags.failed !== true) throw new UsageError('Name a webhook; only --failed works without one.');
    const replays = [];
    for (const webhook of await this.client.call(webhookRoutes.list, { params: { projectId } }))
      replays.push({ ...named(webhook), ...(await this.replay({ projectId, id: webhook.id }, flags)) });
    this.list(replays, replays, ['url', 'queued', 'subscriptionId']);
  }

  private async replay(
    params: { readonly projectId: string; readonly id: string },
    flags: Readonly<Record<string, unknown>>,
  ): Promise<WebhookReplay> {
    // The range needs an end: without one it would grow by the events about its own deliveries while it is read.
    if (flags.until === undefined) await askForTime(this.baseUrl);
    const { since, failed, until = daemonNow().toISOString() } = requestFrom(ReplayWebhookEventsRequest, flags);
    const again = (after: string | undefined) =>
      this.client.call(webhookRoutes.replay, { params, body: { ...stated({ since: after, failed }), until } });
    let replay = await again(since);
    let { queued } = replay;
    while (!replay.complete && replay.lastEventId !== null) {
      replay = await again(failed === true ? since : replay.lastEventId);
      queued += replay.queued;
    }
    return { ...replay, queued };
  }
}

const named = ({ id, url }: WebhookSubscription) => ({ subscriptionId: id, url });
