/** The thread that moves the write-ahead log of a SQLite file into the file, each time it is asked to. */
import { parentPort, workerData } from 'node:worker_threads';
import BetterSqlite from 'better-sqlite3';
import { z } from 'zod';

const { path } = z.object({ path: z.string() }).parse(workerData);
const connection = new BetterSqlite(path, { timeout: 0, fileMustExist: true });
connection.exec('PRAGMA synchronous = FULL');

parentPort?.on('message', () => {
  connection.exec('PRAGMA wal_checkpoint(PASSIVE)');
  parentPort?.postMessage(null);
});
