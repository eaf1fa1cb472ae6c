/** Health and metrics for monitoring, on a listener of their own where the settings ask for one. */
import { ownEventTypes } from '../../../src/contract/events.js';
import type { LoggedEvent } from '../events/logged.js';
import { type AppOptions, createWatchApp } from '../http/app.js';
import type { Edge } from '../http/bind.js';
import { readOnly } from '../http/methods.js';
import { metricsGate } from '../http/metrics-gate.js';
import { HttpListener } from '../http/server.js';
import type { Module, ModulePart } from '../module.js';
import type { Platform } from '../platform.js';
import { Health, type Probe } from './health.js';
import type { Metrics } from './metrics.js';
import { OutageWatch } from './outage-watch.js';
import { healthRouter, metricsRouter } from './router.js';

const graceMs = 500;
/** Other types are chosen by platform services, so there may be any number of them. */
const ownTypes: ReadonlySet<string> = new Set(ownEventTypes);

type Routers = AppOptions['routers'];

const routersOf = (...routers: Routers) => routers.map((router) => ({ router }));

export function watchModule(
  { log, metrics, settings, logger }: Platform,
  probes: readonly Probe[],
  edge: Edge,
): Required<Pick<Module, 'name' | 'routers' | 'parts'>> & { readonly outage: () => void } {
  log.onStored((events) => countEvents(metrics, events));
  log.onUnreadable((eventId, error) => {
    metrics.passedOver();
    logger.error({ eventId, err: error }, 'an event of the log cannot be read; it is skipped');
  });
  const { EARSHOT_HOST: host, EARSHOT_METRICS_PORT: port } = settings;
  const checks = new Health(probes, logger);
  const health = routersOf(readOnly('/health/live', '/health/ready'), healthRouter(checks));
  const outages = new OutageWatch(checks.problems);
  const outage = outages.noticed;
  const looking: ModulePart[] = [
    { name: 'outages', start: () => {}, stop: outages.stop },
    ...tracingPart({ settings, metrics, logger }),
  ];
  if (port === undefined) {
    const gate = metricsGate(edge, (settings.EARSHOT_TRUSTED_PROXIES ?? []).length > 0);
    return {
      name: 'watch',
      routers: [...health, ...routersOf(readOnly('/metrics'), metricsRouter(metrics, gate))],
      parts: looking,
      outage,
    };
  }
  const listener = new HttpListener(host, port, null, 'EARSHOT_METRICS_PORT', logger);
  const own: ModulePart = {
    name: 'metrics',
    stage: 'serving',
    start: async () => {
      const routers = [...health, ...routersOf(readOnly('/metrics'), metricsRouter(metrics))];
      await listener.start(
        createWatchApp(
          routers.map(({ router }) => router),
          logger,
        ),
      );
      logger.info({ metrics: `${listener.url}/metrics` }, 'metrics are served');
    },
    stop: () => listener.stop(graceMs),
  };
  return { name: 'watch', routers: health, parts: [...looking, own], outage };
}

function countEvents(metrics: Metrics, events: readonly LoggedEvent[]): void {
  const counts = new Map<string, number>();
  for (const { event } of events) {
    const type = ownTypes.has(event.type) ? event.type : 'ingested';
    counts.set(type, (counts.get(type) ?? 0) + 1);
  }
  for (const [type, count] of counts) metrics.appended(type, count);
}

/** The SDK is loaded only where somebody asks for traces. */
function tracingPart(needs: Pick<Platform, 'settings' | 'metrics' | 'logger'>): ModulePart[] {
  const { EARSHOT_OTLP_URL: url } = needs.settings;
  if (url === undefined) return [];
  let stop = async (): Promise<void> => {};
  const start = async (): Promise<void> => {
    const { startTracing } = await import('./tracing.js');
    ({ stop } = startTracing(url, needs));
  };
  return [{ name: 'traces', start, stop: () => stop() }];
}
