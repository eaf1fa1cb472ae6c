/** The thread that copies and verifies a SQLite database, which takes as long as the database is large. */
import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { Refused } from '../refused.js';
import { copySqlite } from './backup.js';

const { path, target } = z.object({ path: z.string(), target: z.string() }).parse(workerData);
copySqlite(path, target).then(
  () => parentPort?.postMessage({ problem: null }),
  (error: unknown) => {
    if (!(error instanceof Refused)) throw error;
    parentPort?.postMessage({ problem: error.message });
  },
);
