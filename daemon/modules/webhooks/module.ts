/** Webhooks: subscriptions, the outbox that is written with each event, and the deliveries. */

import { z } from 'zod';
import { handlerOf } from '../../platform/admin-operation.js';
import { heldWebhooksFile } from '../../platform/data-folder.js';
import type { Transaction } from '../../platform/database/database.js';
import { uuidv7 } from '../../platform/ids/new-id.js';
import { type Module, modulePart } from '../../platform/module.js';
import type { Platform } from '../../platform/platform.js';
import { Refused } from '../../platform/refused.js';
import { DueWork } from '../../platform/scheduler/due-work.js';
import type { Records } from '../../records.js';
import type { Players } from '../players/module.js';
import { DeliveryLog } from './deliveries.js';
import { Attempts } from './delivery/attempt.js';
import { attemptMetrics } from './delivery/attempt-metrics.js';
import { WebhookBacklog } from './delivery/backlog.js';
import { BacklogStore } from './delivery/backlog-store.js';
import { WebhookDispatcher } from './delivery/dispatcher.js';
import { DeliveryHold } from './delivery/hold.js';
import { outbox } from './delivery/outbox.js';
import { DeliveryQueue } from './delivery/queue-store.js';
import { AttemptRecorder } from './delivery/recorder.js';
import { DeliveryPages } from './delivery-pages.js';
import { keepDeliveryLog } from './keep-delivery-log.js';
import { webhookPersonRecords } from './person-records-store.js';
import { playerTokenField } from './player-token.js';
import { webhookRouter } from './routes.js';
import { WebhookService } from './service.js';

/** Sends what has waited since a restore. */
export const releaseWebhooks = {
  name: 'webhooks.release',
  input: z.object({}),
  output: z.object({ pending: z.int() }),
};

interface WebhookNeeds {
  readonly players: Players;
}

export interface Webhooks extends Module {
  readonly deliveries: DeliveryLog;
  readonly queue: Pick<DeliveryQueue, 'pending'>;
}

export function webhooksModule(platform: Platform, records: Records, { players }: WebhookNeeds): Webhooks {
  const { dataDir, database, log, wakeUps, box, outbound, publicUrl, metrics, settings } = platform;
  const { suspects, jobs, logger, now } = platform;
  const { subscriptions, deliveries: store, deliveryRedaction: redaction } = records.webhooks;
  const wake = (tx: Transaction) => database.afterCommit(tx, () => wakeUps.wake('deliveries'));
  const webhooks = new WebhookService({ database, log, subscriptions, deliveries: store, wake, box, now });
  const pages = new DeliveryPages(log, subscriptions, store, now);
  const deliveries = new DeliveryLog({ database, log, subscriptions, deliveries: store, pages, now });
  const backlogs = new BacklogStore(database);
  const backlog = new WebhookBacklog({ database, store: backlogs, pages, turns: log.turns, wakeUps, jobs }, logger);
  log.onAppend(outbox(subscriptions, store, backlog, wake, now));
  log.keepFor(backlogs.neededAfter);
  const queue = new DeliveryQueue(database, uuidv7());
  const extraFields = playerTokenField(players.tokens);
  const attempts = new Attempts(
    outbound,
    (row) => webhooks.open(row),
    extraFields,
    records.people.directory,
    publicUrl,
    now,
  );
  const recorder = new AttemptRecorder(database, queue, subscriptions, log, now);
  const hold = new DeliveryHold(heldWebhooksFile(dataDir));
  const due = new DueWork(database, now, queue.nextDue);
  const dispatcher = new WebhookDispatcher({
    hold,
    queue,
    attempts,
    recorder,
    suspects,
    due,
    wakeUps,
    logger,
    now,
    options: {
      alone: database.dialect === 'sqlite', // one daemon per file
      attempted: attemptMetrics(metrics),
    },
  });
  platform.clockWatch.onSetBack((at) => queue.bringForward(at));
  platform.leases.add(queue.leases);
  const keeping = keepDeliveryLog(deliveries, () => settings.EARSHOT_DELIVERY_RETENTION_DAYS, now, jobs);
  const delivery = { role: 'delivery' } as const;
  platform.setAside.add({
    kind: 'webhook_deliveries',
    resume: 'earshot webhooks resend ID',
    count: () => queue.setAsideCount(),
  });
  return {
    name: 'webhooks',
    deliveries,
    queue,
    routes: webhookRouter(webhooks, deliveries),
    parts: [
      modulePart('keep-delivery-log', keeping, delivery),
      modulePart('webhook-backlog', backlog, delivery),
      // Sends until the end, and may have to wait for receivers when it stops.
      modulePart('webhooks', dispatcher, { ...delivery, stage: 'serving' }),
    ],
    probes: [{ probe: hold.probe, ...delivery }],
    operations: [
      handlerOf(releaseWebhooks, async () => {
        if (!hold.release()) throw new Refused('No webhooks wait since a restore.');
        due.again();
        return { pending: await queue.pending() };
      }),
    ],
    metrics: [
      { name: 'webhooks_pending', help: 'Deliveries that are not finished', read: () => queue.pending() },
      { name: 'webhooks_in_flight', help: 'Attempts in progress', read: () => dispatcher.underWay },
    ],
    person: {
      inBatches: (projectId, person) => redaction.ahead(projectId, person, now()),
      afterLog: async (tx, projectId, person) => {
        const added = await log.redaction.namelessAfter(tx, projectId, person.aheadTo);
        await redaction.redact(tx, projectId, person, added, now());
      },
    },
    personRecords: webhookPersonRecords(database),
  };
}
