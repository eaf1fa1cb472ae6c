/** What Prometheus reads at /metrics. */
import { collectDefaultMetrics, Registry } from 'prom-client';

export function createMetrics(version: string): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ version });
  collectDefaultMetrics({ register: registry, prefix: 'earshot_' });
  return registry;
}
