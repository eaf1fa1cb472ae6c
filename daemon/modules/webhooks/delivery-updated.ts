/** The event about a delivery whose state has changed, without the delivered payload, which is in the log already. */
import { changesBetween } from '../../platform/events/log.js';
import type { NewEvent } from '../../platform/events/logged.js';
import { type Content, toDeliveryState, type WebhookEventRow } from './delivery-rows.js';

export function deliveryUpdated(
  before: WebhookEventRow,
  after: WebhookEventRow,
  { subjectUserId }: Pick<Content, 'subjectUserId'>,
): NewEvent {
  const { id, tenantId, projectId } = after;
  const data = toDeliveryState(after);
  const changes = changesBetween(toDeliveryState(before), data);
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
