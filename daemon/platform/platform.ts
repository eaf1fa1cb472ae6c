/** Services that every module uses: passed to each of them by the composition root. */

import type { Settings } from './config/schema.js';
import type { Foundation } from './foundation.js';
import { Answers } from './http/answers/answers.js';
import { basePathOf } from './http/base-path.js';
import { Bodies } from './http/bodies/bodies.js';
import { type ConnectionLimits, connectionLimits } from './http/connection-limits.js';
import { RateLimits } from './http/rate-limits.js';
import { HttpListener } from './http/server.js';
import { tlsFilesOf } from './http/sockets.js';
import { IdempotencyStore } from './idempotency/store.js';
import { limits } from './limits/catalogue.js';
import { ConcurrencyLimit } from './limits/concurrency-limit.js';
import { SlowReads } from './limits/slow-reads.js';
import { mailOf } from './mail/connect.js';
import type { Mail } from './mail/mail.js';
import { MailAllowance } from './mail/mail-allowance.js';
import type { Logger } from './observability/logger.js';
import { Metrics } from './observability/metrics.js';
import { Outbound } from './outbound/outbound.js';
import { ProcessFaults } from './processes/process-faults.js';
import { storageQuota } from './quota/quota.js';
import { Jobs } from './scheduler/jobs.js';
import { installationKey } from './secrets/stores.js';
import { SetAside } from './set-aside.js';
import type { Clock } from './time/clock.js';
import { ClockWatch } from './time/clock-watch.js';
import { Leases } from './turns/leases.js';
import { SuspectTurns } from './turns/suspect-turns.js';
import { version } from './version.js';

export interface Platform extends Foundation {
  readonly settings: Settings;
  readonly logger: Logger;
  readonly now: Clock;
  readonly metrics: Metrics;
  /** Collects the faults by which processes beside the daemon end. */
  readonly processFaults: ProcessFaults;
  /** The only way to addresses that projects set. */
  readonly outbound: Outbound;
  /** Requests that wait for somebody outside, by tenant, or by whom many tenants wait for together. */
  readonly outsideWaits: ConcurrencyLimit;
  readonly mail: Mail;
  readonly mailAllowance: MailAllowance;
  /** Turns of work that was under way when a daemon crashed. */
  readonly suspects: SuspectTurns;
  /** Runs what is taken up again at each start. */
  readonly jobs: Jobs;
  /** How much work of each kind waits for somebody to resume it. */
  readonly setAside: SetAside;
  /** Leases of work and claims of people that end by the clock. */
  readonly leases: Leases;
  /** Notices when the clock of the machine is set. */
  readonly clockWatch: ClockWatch;
  /** How many connections of each kind this daemon accepts. */
  readonly connections: ConnectionLimits;
  /** The bodies of requests, and the memory that they may take. */
  readonly bodies: Bodies;
  /** The answers, and the memory that large ones may take. */
  readonly answers: Answers;
  /** Whose read is next. */
  readonly reads: SlowReads;
  /** The answers that are kept for a repeat under the same Idempotency-Key. */
  readonly idempotency: IdempotencyStore;
  /** How many requests a caller may make. */
  readonly limits: RateLimits;
  /** How much tenants have stored, and may. */
  readonly storage: ReturnType<typeof storageQuota>;
  /** The API's listener; modules that serve upgrades of HTTP connections join it. */
  readonly listener: HttpListener;
  /** The address that links and room URLs begin with. */
  publicUrl(): string;
  /** Its path, such as `/earshot`; empty where it has none. */
  readonly basePath: string;
  /** A key of the installation by name, 32 bytes, created when it is first asked for. */
  signingKey(name: string): Promise<Uint8Array>;
}

/** Throws TlsUnusable. */
export async function platformOf(
  foundation: Foundation,
  settings: Settings,
  logger: Logger,
  now: Clock,
): Promise<Platform> {
  const { EARSHOT_HOST: host, EARSHOT_PORT: port } = settings;
  const tls = tlsFilesOf(settings);
  const connections = connectionLimits(settings, logger);
  const basePath = basePathOf(settings.EARSHOT_PUBLIC_URL);
  const listener = new HttpListener(host, port, tls, 'EARSHOT_PORT', logger, undefined, connections.http, basePath);
  const metrics = new Metrics(version);
  const suspects = new SuspectTurns();
  foundation.database.reportHookError = (err) =>
    logger.error({ err }, 'a step after a commit failed; what was committed stays');
  return {
    ...foundation,
    settings,
    logger,
    now,
    metrics,
    processFaults: new ProcessFaults(metrics, logger, now),
    connections,
    answers: new Answers(basePath),
    reads: new SlowReads(limits.slow_reads.max[foundation.database.dialect]),
    idempotency: new IdempotencyStore(foundation.database),
    bodies: new Bodies((request) => connections.http.networkOf(request)),
    limits: new RateLimits({
      get perCredential() {
        return settings.EARSHOT_RATE_LIMIT_CREDENTIAL;
      },
      get perAddress() {
        return settings.EARSHOT_RATE_LIMIT_ADDRESS;
      },
    }),
    storage: storageQuota(foundation, settings, now, logger),
    outbound: new Outbound(settings.EARSHOT_OUTBOUND_ALLOW ?? []),
    outsideWaits: outsideWaits(),
    mail: await mailOf(settings, logger),
    mailAllowance: new MailAllowance(() => settings.EARSHOT_MAILS_PER_HOUR),
    suspects,
    jobs: new Jobs({ ...foundation, suspects, logger, now }),
    setAside: new SetAside(),
    leases: new Leases(now, logger),
    clockWatch: new ClockWatch(now, logger, () => foundation.log.newestStoredAt()),
    listener,
    basePath,
    publicUrl: () => settings.EARSHOT_PUBLIC_URL ?? listener.url,
    signingKey: (name) => installationKey(foundation.database, foundation.box, now, name),
  };
}

/**
 * Requests that wait for somebody outside: a token endpoint, a hosting API, an identity provider. One that never answers
 * must not keep the connections of its tenant's clients busy without end, because other tenants need connections too.
 */
const outsideWaits = () =>
  new ConcurrencyLimit('outside_waits', {
    perOwner: limits.outside_waits.max,
    code: 'overloaded',
    message: `${limits.outside_waits.max} requests are waiting for an external service to answer. Try again after the seconds in Retry-After; if this persists, check whether the service in the settings answers.`,
    retryAfterSeconds: 5,
  });
