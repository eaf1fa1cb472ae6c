/** Part of the composition root: taking what was told out of the log, the deliveries, and the news of those. */

import type { WebhookStore } from '../modules/webhooks/store.js';
import type { Clock } from '../platform/clock.js';
import type { Database, Transaction } from '../platform/database/database.js';
import { EventRedaction, type ToldEvent, type ToldOf } from '../platform/events/redaction.js';

export interface Forgetting {
  events(tx: Transaction, events: readonly ToldEvent[]): Promise<void>;
  /** Those of what these resources' events told that `concerns` says. */
  resources(
    tx: Transaction,
    projectId: string,
    resources: readonly ToldOf[],
    concerns?: (event: ToldEvent) => boolean,
  ): Promise<void>;
}

export function composeForgetting(database: Database, webhookStore: WebhookStore, now: Clock): Forgetting {
  const redaction = new EventRedaction(database);
  const events: Forgetting['events'] = async (tx, told) => {
    await redaction.redact(tx, told);
    const ids = told.map(({ id }) => id);
    // News of a delivery repeated what was delivered in earlier versions.
    for (const { id, projectId, subjectUserId } of await webhookStore.redactEvents(tx, ids, now()))
      await redaction.redact(
        tx,
        await redaction.of(tx, projectId, [{ subjectUserId, resourceId: `webhook-event:${id}` }]),
      );
  };
  return {
    events,
    resources: async (tx, projectId, resources, concerns = () => true) =>
      events(tx, (await redaction.of(tx, projectId, resources)).filter(concerns)),
  };
}
