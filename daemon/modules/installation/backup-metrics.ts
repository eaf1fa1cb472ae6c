/** Metrics of backups for Prometheus: what an alert about missing or failing backups reads. */
import type { ScrapedMetric } from '../../platform/observability/metrics.js';
import type { Backups } from './backups.js';
import type { RestoreDrill } from './restore-drill.js';
import type { StoredBackups } from './stored-backups.js';

/** @param stored null: nothing is copied; @param drill null: none is made */
export const backupMetrics = (
  backups: Pick<Backups, 'isAvailable' | 'files' | 'failures'>,
  stored: Pick<StoredBackups, 'hasStore' | 'newest' | 'failures'> | null,
  drill: Pick<RestoreDrill, 'last' | 'failures'> | null,
): ScrapedMetric[] =>
  backups.isAvailable
    ? [
        {
          name: 'backup_newest_timestamp_seconds',
          help: 'When the newest verified backup was made, as Unix time; 0: there is none',
          read: async () => unixTime((await newest(backups))?.createdAt),
        },
        {
          name: 'backup_newest_bytes',
          help: 'Size of the newest verified backup; 0: there is none',
          read: async () => (await newest(backups))?.bytes ?? 0,
        },
        {
          name: 'backup_failures',
          help: 'Backups since the start of the daemon that failed, or did not reach the store',
          type: 'counter',
          read: () => backups.failures + (stored?.failures ?? 0),
        },
        ...(stored?.hasStore === true ? storeMetrics(stored) : []),
        ...(drill === null ? [] : drillMetrics(drill)),
      ]
    : [];

const storeMetrics = (stored: Pick<StoredBackups, 'newest'>): ScrapedMetric[] => [
  {
    name: 'backup_stored_timestamp_seconds',
    help: 'When the newest backup in the store of EARSHOT_BACKUP_S3_URL was made, as Unix time; 0: none is known',
    read: () => unixTime(stored.newest?.at),
  },
  {
    name: 'backup_stored_bytes',
    help: 'Size of the newest backup in the store; 0: none is known',
    read: () => stored.newest?.bytes ?? 0,
  },
];

const drillMetrics = (drill: Pick<RestoreDrill, 'last' | 'failures'>): ScrapedMetric[] => [
  {
    name: 'backup_restored_timestamp_seconds',
    help: 'When the newest backup was last restored for trial with success (EARSHOT_BACKUP_DRILL), as Unix time; 0: never',
    read: () => unixTime(drill.last?.succeededAt),
  },
  {
    name: 'backup_drill_failures',
    help: 'Trials since the start of the daemon that failed',
    type: 'counter',
    read: () => drill.failures,
  },
];

const unixTime = (at: Date | string | null | undefined): number => Math.floor(new Date(at ?? 0).getTime() / 1_000);

const newest = async (backups: Pick<Backups, 'files'>) => (await backups.files()).find(({ verified }) => verified);
