/** The platform's own module: it keeps the log, the database and the keys in order. */

import { handlerOf } from './admin-operation.js';
import { dropLeftovers } from './database/drop-leftovers.js';
import { DatabaseFiles } from './database/file-probe.js';
import { HeldIds } from './database/held-ids.js';
import { appendProbe } from './events/append-probe.js';
import { keepEventLog } from './events/keep-event-log.js';
import { eventRecords } from './events/person-records-store.js';
import { LogRetention } from './events/retention.js';
import { listSkippedEvents } from './events/skipped-events.js';
import { certificateMetric } from './http/certificate-metric.js';
import { proxyOperations } from './http/unnamed-proxies.js';
import { limitMetrics } from './limits/refusals.js';
import { type Module, modulePart } from './module.js';
import { supportOperation } from './observability/support-operation.js';
import type { Platform } from './platform.js';
import { processOperations } from './processes/process-faults.js';
import { failingJobsMetric, jobOperations } from './scheduler/admin-operations.js';
import { Repeat } from './scheduler/repeat.js';
import { keyOperations } from './secrets/admin-operations.js';
import { setAsideMetric, setAsideOperations } from './set-aside.js';

/** How late a quota is noticed at most, or a disk that is filled by what is stored. */
const quotaEveryMs = 1_000;
/** How late a deleted file of the database is noticed at most. */
const filesEveryMs = 2_000;

export function storageModule(platform: Platform): Module {
  const {
    database,
    log,
    follower,
    mail,
    outbound,
    listener,
    connections,
    bodies,
    answers,
    idempotency,
    settings,
    storage,
    jobs,
    leases,
    logger,
    now,
  } = platform;
  const retention = new LogRetention(database, log, () => settings.EARSHOT_EVENT_RETENTION_DAYS, now);
  const held = new HeldIds(database);
  const files = new DatabaseFiles(database.url, logger);
  platform.setAside.add({
    kind: 'background_jobs',
    resume: 'earshotd jobs resume JOB',
    count: () => jobs.setAsideCount(),
  });
  platform.clockWatch.onSetBack(() => leases.shorten());
  const role = { role: 'jobs' } as const;
  return {
    name: 'storage',
    parts: [
      modulePart('jobs', jobs),
      modulePart('clock-watch', platform.clockWatch),
      modulePart('leases', leases),
      modulePart('follower', follower),
      modulePart('drop-leftovers', dropLeftovers(database, jobs), role),
      modulePart('keep-event-log', keepEventLog(retention, jobs), role),
      modulePart(
        'storage-quota',
        jobs.repeat('storage-quota', quotaEveryMs, () => storage.quota.refresh(), storage.quota.nextDue),
      ),
      modulePart('database-files', new Repeat('database-files', filesEveryMs, async () => void files.check(), logger)),
      { name: 'mail', stop: () => mail.close() },
      { name: 'outbound', stop: () => outbound.close() },
    ],
    keeps: [{ kind: 'sums of stored bytes', prune: (limit) => storage.quota.prune(limit) }],
    probes: [{ probe: appendProbe(log) }, { probe: files.probe }, { probe: storage.disk.probe }],
    metrics: [
      ...connections.metrics,
      certificateMetric(listener),
      ...bodies.metrics,
      ...answers.metrics,
      ...storage.metrics,
      ...limitMetrics,
      setAsideMetric(platform.setAside),
      failingJobsMetric(jobs),
    ],
    operations: [
      ...keyOperations(platform),
      ...proxyOperations(connections.unnamedProxies),
      ...processOperations(platform.processFaults),
      ...jobOperations(jobs),
      ...platform.clockWatch.operations,
      ...setAsideOperations(platform.setAside),
      handlerOf(listSkippedEvents, async () => ({ ids: [...log.passedOver] })),
      ...files.operations,
      supportOperation(platform.metrics),
    ],
    personRecords: eventRecords(database),
    person: {
      inBatches: (projectId, person) => log.redaction.ahead(projectId, person, person.aheadTo),
      afterLog: async (tx, projectId, person) => {
        await log.redaction.person(tx, projectId, person, person.aheadTo);
        await idempotency.redact(tx, projectId, person);
      },
      afterCommit: () => database.dropLeftovers(),
    },
    personMove: {
      merge: (tx, { projectId, from, to }) => held.rename(tx, projectId, from, to),
    },
  };
}
