/** Opens a SQLite file; says how to repair an installation whose SQLite binary is missing. */
import BetterSqlite3 from 'better-sqlite3';
import { packageFolder } from '../package.js';
import { Refused } from '../refused.js';

/** Throws Refused where the binary cannot be loaded, and SqliteError. */
export function openSqlite(path: string, options: BetterSqlite3.Options = {}): BetterSqlite3.Database {
  try {
    return new BetterSqlite3(path, options);
  } catch (error) {
    if (
      !(error instanceof Error) ||
      !/bindings|NODE_MODULE_VERSION|ERR_DLOPEN/.test(`${error.message}${(error as NodeJS.ErrnoException).code}`)
    )
      throw error;
    throw new Refused(
      `The SQLite binary is missing, or was built for another Node.js than ${process.version}. Run \`npm rebuild better-sqlite3\` in ${packageFolder} (without a ready binary it needs python3, make and g++).`,
      { cause: error },
    );
  }
}
