/** Addresses of the database, by the settings. */
import type { Settings } from '../config/schema.js';
import { databaseIn } from '../data-folder.js';

export interface DatabaseAddresses {
  /** `file:PATH` or the address of PostgreSQL, or of a pooler before it; may contain a password, so never log it. */
  readonly url: string;
  /** Leads past a pooler. The same as `url` unless a setting says so. */
  readonly directUrl: string;
  /** Most connections at once to PostgreSQL, besides a few that are kept. */
  readonly connections: number;
}

/** True for an address of PostgreSQL, in both its spellings. */
export const isPostgresql = (url: string): boolean => /^postgres(ql)?:/.test(url);

export function databaseAddresses(settings: Settings, dataDir: string): DatabaseAddresses {
  const url = settings.DATABASE_URL ?? `file:${databaseIn(dataDir)}`;
  const isFile = url.startsWith('file:');
  return {
    url,
    directUrl: isFile ? url : (settings.EARSHOT_DATABASE_DIRECT_URL ?? url),
    connections: settings.EARSHOT_DATABASE_CONNECTIONS,
  };
}
