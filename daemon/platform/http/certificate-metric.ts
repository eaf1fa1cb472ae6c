/** The end of the certificate, for an alert before it. */
import type { ScrapedMetric } from '../observability/metrics.js';
import type { HttpListener } from './server.js';

export const certificateMetric = (listener: Pick<HttpListener, 'certificateEnd'>): ScrapedMetric => ({
  name: 'certificate_end_timestamp_seconds',
  help: 'When the certificate of EARSHOT_TLS_CERT ends, as Unix time; 0: the daemon has none',
  read: () => (listener.certificateEnd?.getTime() ?? 0) / 1_000,
});
