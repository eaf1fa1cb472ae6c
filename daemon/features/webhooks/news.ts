/** What is announced of a delivery whose state has changed. */
import type { NewEvent } from '../../events/log.js';
import { changesBetween } from '../../events/log.js';
import { toDeliveryState, toWebhookEvent, type WebhookEventRow } from './store.js';

export function deliveryUpdated(before: WebhookEventRow, after: WebhookEventRow): NewEvent {
  const { id, tenantId, projectId, subjectUserId } = after;
  const data = toWebhookEvent(after);
  const changes = changesBetween(toDeliveryState(before), toDeliveryState(after));
  return {
    type: 'webhook.delivery.updated',
    tenantId,
    projectId,
    resourceId: `webhook-event:${id}`,
    action: 'updated',
    data,
    ...(changes === undefined ? {} : { changes }),
    subjectUserId,
  };
}
