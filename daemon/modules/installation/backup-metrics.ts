/** Metrics of backups for Prometheus: what an alert about missing or failing backups reads. */
import type { ScrapedMetric } from '../../platform/observability/metrics.js';
import type { Backups } from './backups.js';

export const backupMetrics = (backups: Pick<Backups, 'isAvailable' | 'files' | 'failures'>): ScrapedMetric[] =>
  backups.isAvailable
    ? [
        {
          name: 'backup_newest_timestamp_seconds',
          help: 'When the newest verified backup was made, as Unix time; 0: there is none',
          read: async () => Math.floor(new Date((await newest(backups))?.createdAt ?? 0).getTime() / 1_000),
        },
        {
          name: 'backup_newest_bytes',
          help: 'Size of the newest verified backup; 0: there is none',
          read: async () => (await newest(backups))?.bytes ?? 0,
        },
        {
          name: 'backup_failures',
          help: 'Backups since the start of the daemon that failed',
          type: 'counter',
          read: () => backups.failures,
        },
      ]
    : [];

const newest = async (backups: Pick<Backups, 'files'>) => (await backups.files()).find(({ verified }) => verified);
