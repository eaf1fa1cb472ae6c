/** Part of the composition root: health and metrics, on a listener of their own where the settings ask for one. */
import type { Settings } from '../config/schema.js';
import type { AppOptions } from '../http/app.js';
import { HttpListener } from '../http/server.js';
import type { Part } from '../lifecycle.js';
import { Health, type Probe } from '../observability/health.js';
import type { Logger } from '../observability/logger.js';
import { createMetrics } from '../observability/metrics.js';
import { healthRouter, metricsRouter, watchApp } from '../observability/router.js';
import { version } from '../version.js';

const graceMs = 500;

interface Observability {
  /** For the API's own listener; `/metrics` is among them only where it has no listener of its own. */
  readonly routers: AppOptions['routers'];
  readonly parts: Part[];
}

export function composeObservability(settings: Settings, probes: readonly Probe[], logger: Logger): Observability {
  const { EARSHOT_HOST: host, EARSHOT_METRICS_PORT: port } = settings;
  const health = healthRouter(new Health(probes));
  const metrics = metricsRouter(createMetrics(version));
  if (port === undefined) return { routers: [health, metrics], parts: [] };
  const listener = new HttpListener(host, port, null, 'EARSHOT_METRICS_PORT', logger);
  const start = async () => {
    await listener.start(watchApp(health, metrics));
    logger.info({ metrics: `${listener.url}/metrics` }, 'metrics are served');
  };
  return { routers: [health], parts: [{ name: 'metrics', start, stop: () => listener.stop(graceMs) }] };
}
