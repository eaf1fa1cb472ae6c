/** The process that copies and verifies a SQLite database, which takes as long as the database is large. Arguments: path, target, recipient of age. */
import { copySqlite } from './backup.js';

function tell(problem: string | null): void {
  if (!process.connected) return; // the daemon is gone; a copy that is whole stays
  process.once('disconnect', () => {}); // lives until the daemon has heard it
  process.send?.({ problem });
}

const [path = '', target = '', recipient] = process.argv.slice(2);
copySqlite(path, target, recipient).then(
  () => tell(null),
  (error: unknown) => tell(error instanceof Error ? error.message : String(error)),
);
