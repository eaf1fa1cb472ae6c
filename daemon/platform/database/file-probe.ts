/**
 * Notices that the files of a SQLite database were deleted or replaced while the daemon has them open. The daemon would go
 * on writing into files without a name, and everything since would be lost at its end.
 */
import { statSync } from 'node:fs';
import type { Probe } from '../observability/health.js';

/** Identity of a file; null: there is none. */
function identityOf(path: string): string | null {
  const stat = statSync(path, { throwIfNoEntry: false, bigint: true });
  return stat === undefined ? null : `${stat.dev}:${stat.ino}`;
}

/** @param url of the database; files are taken as they are at the first look. PostgreSQL's are its own */
export function fileProbe(url: string): Probe {
  const path = url.startsWith('file:') ? url.slice('file:'.length) : null;
  const files = path === null ? [] : [path, `${path}-wal`];
  const known = new Map<string, string>();
  return {
    part: 'database files',
    look: () => {
      for (const file of files) {
        const now = identityOf(file);
        const before = known.get(file);
        if (now !== null && before === undefined) known.set(file, now);
        if (before === undefined || before === now) continue;
        return `a file of the database was ${now === null ? 'deleted' : 'replaced'} while the daemon uses it. What is written now is lost when the daemon stops: save what matters with the export commands, stop the daemon, and restore a backup with \`earshotd restore\``;
      }
      return null;
    },
  };
}
