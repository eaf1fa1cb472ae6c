/** Metrics of delivery attempts. */
import type { Metrics } from '../../../platform/observability/metrics.js';
import type { DeliveryState } from './recorder.js';

/** To be called for every stored attempt. */
export function attemptMetrics(metrics: Metrics): (outcome: DeliveryState, seconds: number) => void {
  const attempts = metrics.counter(
    'webhook_attempts',
    'Attempts at webhook deliveries: delivered, pending (will be retried), failed (given up)',
    ['outcome'],
  );
  const durations = metrics.histogram('webhook_attempt_duration_seconds', 'Response time of receivers', []);
  return (outcome, seconds) => {
    attempts.inc({ outcome });
    durations.observe({}, seconds);
  };
}
