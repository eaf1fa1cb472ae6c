/** Part of the composition root: health and metrics, on a listener of their own where the settings ask for one. */
import { ownEventTypes } from '../../../src/contract/events.js';
import type { Settings } from '../config/schema.js';
import type { LoggedEvent } from '../events/log.js';
import { type AppOptions, createWatchApp } from '../http/app.js';
import type { Edge } from '../http/bind.js';
import { readOnly } from '../http/methods.js';
import { metricsGate } from '../http/metrics-gate.js';
import { HttpListener } from '../http/server.js';
import type { Part } from '../lifecycle/lifecycle.js';
import { Health, type Probe } from './health.js';
import type { Logger } from './logger.js';
import type { Metrics } from './metrics.js';
import { healthRouter, metricsRouter } from './router.js';

const graceMs = 500;
/** Other kinds come from outside, and there may be any number of them. */
const ownTypes: ReadonlySet<string> = new Set(ownEventTypes);

interface Observability {
  /** For the API's own listener; `/metrics` is among them only where it has no listener of its own. */
  readonly routers: AppOptions['routers'];
  readonly parts: Part[];
}

export function composeObservability(
  settings: Settings,
  metrics: Metrics,
  probes: readonly Probe[],
  edge: Edge,
  logger: Logger,
): Observability {
  const { EARSHOT_HOST: host, EARSHOT_METRICS_PORT: port } = settings;
  const health = [readOnly('/health/live', '/health/ready'), healthRouter(new Health(probes))];
  if (port === undefined) {
    const gate = metricsGate(edge, (settings.EARSHOT_TRUSTED_PROXIES ?? []).length > 0);
    return { routers: [...health, readOnly('/metrics'), metricsRouter(metrics, gate)], parts: [] };
  }
  const listener = new HttpListener(host, port, null, 'EARSHOT_METRICS_PORT', logger);
  const start = async () => {
    await listener.start(createWatchApp([...health, readOnly('/metrics'), metricsRouter(metrics)], logger));
    logger.info({ metrics: `${listener.url}/metrics` }, 'metrics are served');
  };
  return { routers: health, parts: [{ name: 'metrics', start, stop: () => listener.stop(graceMs) }] };
}

export function countEvents(metrics: Metrics, events: readonly LoggedEvent[]): void {
  const counts = new Map<string, number>();
  for (const { event } of events) {
    const type = ownTypes.has(event.type) ? event.type : 'ingested';
    counts.set(type, (counts.get(type) ?? 0) + 1);
  }
  for (const [type, count] of counts) metrics.appended(type, count);
}
