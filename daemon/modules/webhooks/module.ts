/** Part of the composition root: webhooks, from their rows to the way out. */
import { uuidv7 } from 'uuidv7';
import type { Clock } from '../../platform/clock.js';
import type { Database } from '../../platform/database/database.js';
import type { EventLog } from '../../platform/events/log.js';
import type { WakeUps } from '../../platform/events/wake-ups.js';
import type { BoundRoute } from '../../platform/http/bind.js';
import { type Part, part } from '../../platform/lifecycle/lifecycle.js';
import type { Logger } from '../../platform/observability/logger.js';
import type { Metrics } from '../../platform/observability/metrics.js';
import type { Outbound } from '../../platform/outbound/outbound.js';
import type { SecretBox } from '../../platform/secrets/secret-box.js';
import { DeliveryLog } from './deliveries.js';
import { Attempts } from './delivery/attempt.js';
import { WebhookDispatcher } from './delivery/dispatcher.js';
import { outbox } from './delivery/outbox.js';
import { DeliveryQueue } from './delivery/queue.js';
import { AttemptRecorder } from './delivery/recorder.js';
import { keepDeliveryLog } from './keep-delivery-log.js';
import { webhookRouter } from './routes.js';
import { WebhookService } from './service.js';
import type { WebhookStore } from './store.js';

export interface WebhookParts {
  readonly database: Database;
  readonly log: EventLog;
  readonly wakeUps: WakeUps;
  readonly store: WebhookStore;
  readonly box: SecretBox;
  readonly outbound: Outbound;
  readonly logger: Logger;
  readonly now: Clock;
  readonly playerToken: (player: { tenantId: string; projectId: string; userId: string }) => Promise<string>;
  readonly retentionDays: number;
  readonly metrics: Metrics;
}

export interface Webhooks {
  readonly deliveries: DeliveryLog;
  readonly routes: BoundRoute[];
  readonly jobs: Part[];
  /** Goes on sending to the last, and may have to wait for receivers. */
  readonly dispatch: Part;
}

const gameplayEvent = /^(challenge|battlepass|leaderboard)\./;

export function composeWebhooks(given: WebhookParts): Webhooks {
  const { database, log, wakeUps, store, box, outbound, logger, now, playerToken, retentionDays, metrics } = given;
  const webhooks = new WebhookService(database, log, store, box, now);
  const deliveries = new DeliveryLog(database, log, store, now);
  log.onAppend(outbox(store, now));
  const queue = new DeliveryQueue(database, uuidv7());
  const attempts = new Attempts(
    outbound,
    (row) => webhooks.open(row),
    async ({ tenantId, projectId, content: { subjectUserId: userId }, eventType }) =>
      userId !== null && gameplayEvent.test(eventType)
        ? { user_token: await playerToken({ tenantId, projectId, userId }) }
        : {},
    now,
  );
  const recorder = new AttemptRecorder(database, queue, log, now);
  const dispatcher = new WebhookDispatcher(queue, attempts, recorder, wakeUps, logger, now, {
    alone: database.dialect === 'sqlite', // one daemon a file
    interrupt: () => outbound.close(),
    attempted: (...attempt) => metrics.attempted(...attempt),
  });
  metrics.gauge('webhooks_pending', 'Deliveries that are not at their end', () => queue.pending());
  metrics.gauge('webhooks_in_flight', 'Attempts on their way', () => dispatcher.underWay);
  const keeping = keepDeliveryLog(deliveries, retentionDays, now, logger);
  return {
    deliveries,
    routes: webhookRouter(webhooks, deliveries),
    jobs: [part('keep-delivery-log', keeping)],
    dispatch: part('webhooks', dispatcher),
  };
}
