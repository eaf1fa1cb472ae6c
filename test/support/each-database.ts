/** Suites for each database that a daemon can have. */
import { afterAll, beforeAll, describe } from 'vitest';
import { startDaemon, type TestDaemon, type TestDaemonOptions } from './daemon.js';
import { DaemonProcess } from './daemon-process.js';
import { databases as here, inSqlite } from './database.js';
import { rentedMachine } from './health-watch.js';
import { type PostgresqlServer, startPostgresql } from './postgresql.js';
import { scale } from './scale.js';

const patienceMs = scale(60_000, 300_000);
const databases = here.map(({ name, here: isHere }) => ({ database: name, isHere }));

/** Suites whose daemons are started by `start`, in this process, each with a database of its own. */
export const describeDaemonsOnEachDatabase = (
  title: string,
  define: (start: (options?: TestDaemonOptions) => Promise<TestDaemon>, database: string) => void,
): void => {
  describe.each(databases)(`${title}, on $database`, ({ database, isHere }) => {
    describe.skipIf(!isHere)('', { timeout: patienceMs }, () =>
      define(async (options = {}) => {
        if (database === 'SQLite') return startDaemon(options);
        const server = await startPostgresql();
        const settings = { ...options.settings, DATABASE_URL: server.url };
        const daemon = await startDaemon({ ...options, settings });
        const { stop } = daemon;
        return Object.assign(daemon, {
          async stop() {
            await stop();
            await server.stop();
          },
        });
      }, database),
    );
  });
};

/** Suites with a daemon process on a rented machine. */
export const describeEachDatabase = (
  title: string,
  define: (suite: { readonly database: string; readonly daemon: () => DaemonProcess }) => void,
  settings: Readonly<Record<string, string>> = {},
): void => {
  describe.each(databases)(`${title} on $database`, ({ database, isHere }) => {
    describe.skipIf(!isHere)('', { timeout: patienceMs }, () => {
      let server: PostgresqlServer | null = null;
      let daemon: DaemonProcess;
      beforeAll(async () => {
        server = database === 'PostgreSQL' ? await startPostgresql() : null;
        const stored: Record<string, string> = server === null ? inSqlite : { DATABASE_URL: server.url };
        const all = { ...settings, ...stored, EARSHOT_OUTBOUND_ALLOW: '127.0.0.0/8' };
        daemon = new DaemonProcess(all, rentedMachine);
        await daemon.start();
      }, patienceMs);
      afterAll(async () => {
        await daemon.dispose();
        await server?.stop();
      });
      define({ database, daemon: () => daemon });
    });
  });
};
