/** A suite for each database that a daemon can have, with a daemon on a rented machine. */
import { afterAll, beforeAll, describe } from 'vitest';
import { DaemonProcess } from './daemon-process.js';
import { rentedMachine } from './health-watch.js';
import { hasPostgresql, type PostgresqlServer, startPostgresql } from './postgresql.js';
import { scale } from './scale.js';

const patienceMs = scale(60_000, 300_000);

export const describeEachDatabase = (
  title: string,
  define: (suite: { readonly database: string; readonly daemon: () => DaemonProcess }) => void,
): void => {
  describe.each([
    { database: 'SQLite', isHere: true },
    { database: 'PostgreSQL', isHere: hasPostgresql },
  ])(`${title} on $database`, ({ database, isHere }) => {
    describe.skipIf(!isHere)('', { timeout: patienceMs }, () => {
      let server: PostgresqlServer | null = null;
      let daemon: DaemonProcess;
      beforeAll(async () => {
        server = database === 'PostgreSQL' ? await startPostgresql() : null;
        const stored: Record<string, string> = server === null ? {} : { DATABASE_URL: server.url };
        daemon = new DaemonProcess({ ...stored, EARSHOT_OUTBOUND_ALLOW: '127.0.0.0/8' }, rentedMachine);
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
