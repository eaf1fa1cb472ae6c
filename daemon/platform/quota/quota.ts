/** The storage quota put together from the settings. */
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Settings } from '../config/schema.js';
import type { Foundation } from '../foundation.js';
import type { Logger } from '../observability/logger.js';
import type { ScrapedMetric } from '../observability/metrics.js';
import type { Clock } from '../time/clock.js';
import { DatabaseRoom, Disk, roomOnDisk } from './disk.js';
import { StorageQuota } from './storage-quota.js';
import { StoredBytesStore } from './store.js';

/** Approximate size of a row of the log besides its payload. */
const rowBytes = 300;

/** It grows while somebody reads a state of the database that is older than what is written. */
const walBytes = (file: string): ScrapedMetric => ({
  name: 'database_wal_bytes',
  help: 'Size of the write-ahead log beside the SQLite file',
  read: async () => (await stat(`${file}-wal`)).size,
});

export function storageQuota(
  { database, log }: Pick<Foundation, 'database' | 'log'>,
  settings: Settings,
  now: Clock,
  logger: Logger,
) {
  const store = new StoredBytesStore(database);
  const room = new DatabaseRoom(
    () => settings.EARSHOT_DATABASE_MAX_MB,
    () => store.databaseBytes(),
  );
  const isSqlite = database.dialect === 'sqlite';
  const file = database.url.slice('file:'.length);
  const reserveMb = () => settings.EARSHOT_DISK_RESERVE_MB;
  const disk = new Disk(isSqlite ? roomOnDisk(dirname(file)) : room, reserveMb, logger);
  const limits = {
    get dayMb() {
      return settings.EARSHOT_STORAGE_DAY_MB;
    },
    get totalMb() {
      return settings.EARSHOT_STORAGE_TOTAL_MB;
    },
    /** Nothing is kept longer than the longest of these, unless somebody keeps it. */
    get days() {
      return Math.max(
        settings.EARSHOT_EVENT_RETENTION_DAYS,
        settings.EARSHOT_GAMEPLAY_RETENTION_DAYS,
        settings.EARSHOT_AUDIT_RETENTION_DAYS,
      );
    },
  };
  const quota = new StorageQuota(store, disk, limits, now);
  log.onStored((events) => {
    for (const { event, storedPayload } of events) quota.count(event.tenantId, rowBytes + storedPayload.length);
  });
  const metrics: readonly ScrapedMetric[] = [
    {
      name: 'stored_bytes_today',
      help: 'Bytes stored since midnight (UTC), by tenant',
      label: 'tenant',
      read: () => quota.sums('today'),
    },
    {
      name: 'stored_bytes',
      help: 'Bytes stored over the days that data is kept, by tenant',
      label: 'tenant',
      read: () => quota.sums('total'),
    },
    {
      name: 'quota_refusals',
      help: 'Requests refused since the start because the tenant has reached its storage quota, or the disk is nearly full',
      read: () => quota.refused,
    },
    {
      name: 'disk_free_bytes',
      help: 'Free bytes on the disk of the SQLite database, or left of EARSHOT_DATABASE_MAX_MB; -1: unknown',
      read: () => disk.freeBytes ?? -1,
    },
    {
      name: 'database_bytes',
      help: 'Size of the database: of the SQLite file, or of the PostgreSQL database; -1: unknown',
      read: async () => (isSqlite ? (await stat(file)).size : (room.bytes ?? -1)),
    },
    ...(isSqlite ? [walBytes(file)] : []),
  ];
  /** Size of the database. */
  const databaseBytes = async (): Promise<number> => (isSqlite ? (await stat(file)).size : store.databaseBytes());
  return { quota, disk, metrics, databaseBytes };
}
