/** Shared parts of the webhook commands. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { EarshotClient } from '../../client/earshot-client.js';
import { type WebhookEventDetail, webhookEventRoutes } from '../../contract/webhooks/webhook-events.js';
import { table } from '../../terminal/output.js';
import { ProjectCommand } from '../command/command.js';

const askEveryMs = 200;
/** The daemon allows an attempt 15 s. */
const patienceMs = 20_000;

/** The delivery after one more attempt, or as it is when that takes too long. */
export async function attempted(
  client: EarshotClient,
  params: { projectId: string; id: string },
  attemptsBefore: number,
): Promise<WebhookEventDetail> {
  const end = Date.now() + patienceMs;
  for (;;) {
    const delivery = await client.call(webhookEventRoutes.get, { params });
    if (delivery.attemptsCount > attemptsBefore || Date.now() > end) return delivery;
    await sleep(askEveryMs);
  }
}

/** A command that shows one delivery: its state, and one line per attempt. */
export abstract class DeliveryCommand extends ProjectCommand {
  protected showDelivery(delivery: WebhookEventDetail): void {
    if (this.common.json === true) {
      this.show(delivery);
      return;
    }
    this.show(delivery, ['id', 'eventId', 'eventType', 'subscriptionId', 'status', 'attemptsCount', 'nextAttemptAt']);
    if (delivery.deliveries.length === 0) return;
    const columns = ['attempt', 'startedAt', 'durationMs', 'statusCode', 'error', 'responseSnippet'];
    this.log(`\n${table(delivery.deliveries, columns, this.screen)}`);
  }
}
