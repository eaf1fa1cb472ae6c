/** Addresses of the database, by the settings. */
import { join } from 'node:path';
import type { Settings } from '../config/schema.js';

export interface DatabaseAddresses {
  /** `file:PATH` or the address of PostgreSQL, or of a pooler before it; may contain a password, so never log it. */
  readonly url: string;
  /** Leads past a pooler. The same as `url` unless a setting says so. */
  readonly directUrl: string;
  /** Most connections at once to PostgreSQL, besides a few that are kept. */
  readonly connections: number;
}

export function databaseAddresses(settings: Settings, dataDir: string): DatabaseAddresses {
  const url = settings.DATABASE_URL ?? `file:${join(dataDir, 'earshot.db')}`;
  const isFile = url.startsWith('file:');
  return {
    url,
    directUrl: isFile ? url : (settings.EARSHOT_DATABASE_DIRECT_URL ?? url),
    connections: settings.EARSHOT_DATABASE_CONNECTIONS,
  };
}
