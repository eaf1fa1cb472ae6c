/**
 * Notices that the files of a SQLite database were deleted or replaced while the daemon has them open. The daemon would go
 * on writing into files without a name, and everything since would be lost at its end.
 */
import { statSync } from 'node:fs';
import { z } from 'zod';
import { type AdminHandler, handlerOf } from '../admin-operation.js';
import type { Probe } from '../observability/health.js';
import type { Logger } from '../observability/logger.js';

export const lookAtDatabaseFiles = {
  name: 'database-files.look',
  input: z.object({}),
  output: z.object({ problem: z.string().nullable() }),
};

/** Identity of a file; null: there is none. */
function identityOf(path: string): string | null {
  const stat = statSync(path, { throwIfNoEntry: false, bigint: true });
  return stat === undefined ? null : `${stat.dev}:${stat.ino}`;
}

export class DatabaseFiles {
  private readonly files: readonly string[];
  private readonly known = new Map<string, string>();
  private told: string | null = null;

  /** @param url of the database; files are taken as they are at the first look. PostgreSQL's are its own */
  constructor(
    url: string,
    private readonly log: Pick<Logger, 'error'>,
  ) {
    const path = url.startsWith('file:') ? url.slice('file:'.length) : null;
    this.files = path === null ? [] : [path, `${path}-wal`];
  }

  /** Returns what is wrong, and logs it once; null: nothing. */
  check(): string | null {
    const problem = this.problem();
    if (problem !== null && problem !== this.told) this.log.error({ problem }, 'a file of the database is gone');
    this.told = problem;
    return problem;
  }

  get probe(): Probe {
    return { part: 'database files', check: () => this.check() };
  }

  get operations(): AdminHandler[] {
    return [handlerOf(lookAtDatabaseFiles, async () => ({ problem: this.check() }))];
  }

  private problem(): string | null {
    for (const file of this.files) {
      const now = identityOf(file);
      const before = this.known.get(file);
      if (now !== null && before === undefined) this.known.set(file, now);
      if (before === undefined || before === now) continue;
      return `a file of the database was ${now === null ? 'deleted' : 'replaced'} while the daemon uses it. New data is lost when the daemon stops: save what matters with the export commands, stop the daemon, and restore a backup with \`earshotd restore\``;
    }
    return null;
  }
}
