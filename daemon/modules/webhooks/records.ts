import type { Platform } from '../../platform/platform.js';
import { DeliveryStore } from './delivery-store.js';
import { EventDataRedaction } from './event-data-redaction.js';
import { DeliveryRedaction } from './redaction-store.js';
import { SubscriptionStore } from './subscription-store.js';

export function webhookRecords({ database, log, now }: Pick<Platform, 'database' | 'log' | 'now'>) {
  const deliveryRedaction = new DeliveryRedaction(database);
  return {
    subscriptions: new SubscriptionStore(database),
    deliveries: new DeliveryStore(database),
    deliveryRedaction,
    redaction: new EventDataRedaction(log.redaction, deliveryRedaction, now),
  };
}
