/** The process that copies and verifies a SQLite database, which takes as long as the database is large. Arguments: path, target, recipient of age. */
import { answerDaemon } from '../processes/answer-daemon.js';
import { copySqlite } from './backup.js';

const [path = '', target = '', recipient] = process.argv.slice(2);
copySqlite(path, target, recipient).then(
  () => answerDaemon(null), // where the daemon is gone, a copy that is whole stays
  (error: unknown) => answerDaemon(error instanceof Error ? error.message : String(error)),
);
