import Database from 'better-sqlite3';
import { eventually } from './eventually.js';

/**
 * Changes a SQLite file that a daemon in this process has open. A wait for its lock inside SQLite would stop the daemon
 * too, which then never frees it.
 */
export const writeBeside = (path: string, write: (database: Database.Database) => void): Promise<void> =>
  eventually(() => {
    const database = new Database(path, { timeout: 0 });
    try {
      write(database);
    } finally {
      database.close();
    }
  });
