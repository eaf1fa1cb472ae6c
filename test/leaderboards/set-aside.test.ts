/** A rebuild during which daemons crashed twice: it is set aside, shown, and resumed by a command. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../daemon/platform/database/database.js';
import type { EarshotClient } from '../../src/client/earshot-client.js';
import { leaderboardRebuildRoutes } from '../../src/contract/gameplay/leaderboard-rebuilds.js';
import { leaderboardRoutes } from '../../src/contract/gameplay/leaderboards.js';
import { playerRoutes } from '../../src/contract/gameplay/players.js';
import { apiKeyRoutes } from '../../src/contract/identity/api-keys.js';
import { commandLine } from '../support/cli.js';
import { DaemonProcess } from '../support/daemon-process.js';
import { eventually } from '../support/eventually.js';
import { hasPostgresql, type PostgresqlServer, startPostgresql } from '../support/postgresql.js';
import { earshotd } from '../support/program.js';
import { signIn } from '../support/room-client.js';

const patienceMs = 60_000;

describe.each([
  { database: 'SQLite', isHere: true },
  { database: 'PostgreSQL', isHere: hasPostgresql },
])('a rebuild on $database during which daemons crash', ({ database, isHere }) => {
  describe.runIf(isHere)('', { timeout: 4 * patienceMs }, () => {
    let server: PostgresqlServer | null = null;
    let daemon: DaemonProcess;
    let stored: Record<string, string> = {};
    let client: EarshotClient;
    let board: { projectId: string; id: string };
    beforeAll(async () => {
      server = database === 'PostgreSQL' ? await startPostgresql() : null;
      if (server !== null) stored = { DATABASE_URL: server.url };
      daemon = new DaemonProcess(stored);
      await daemon.start();
      const signed = await signIn(daemon.url);
      client = signed.client;
      const { projectId } = signed;
      const body = { name: 'Points', eventName: 'earn-points' };
      board = { projectId, id: (await client.call(leaderboardRoutes.create, { params: { projectId }, body })).id };
      await client.call(playerRoutes.sendEvent, {
        params: { projectId, userId: 'ann' },
        body: { event_name: 'earn-points', event_type: 'single', meta_data: { amount: 3 } },
      });
    }, patienceMs);
    afterAll(async () => {
      await daemon.dispose();
      await server?.stop();
    });

    const make = () => client.call(leaderboardRebuildRoutes.make, { params: board, body: {} });
    const reaches = (rebuildId: string, status: string) =>
      eventually(async () => {
        const rebuild = await client.call(leaderboardRebuildRoutes.get, { params: { ...board, rebuildId } });
        expect(rebuild.status).toBe(status);
        return rebuild;
      }, patienceMs);
    /** Leaves the state of a daemon that crashes in the middle of the work, to be found by another one. */
    const crashDuring = async (rebuildId: string, crashes: number) => {
      await daemon.end('SIGKILL');
      const left = await Database.connect(daemon.databaseUrl);
      const held = { status: 'counting', lease: 'another daemon:1', leaseUntil: new Date(Date.now() - 1_000), crashes };
      await left.transaction((tx) => tx.leaderboardRebuild.update({ where: { id: rebuildId }, data: held }));
      await left.close();
      await daemon.start();
    };
    const boardCommands = async () => {
      const body = { name: 'boards', scopes: ['gameplay:read' as const] };
      const { key } = await client.call(apiKeyRoutes.create, { body });
      const { projectId } = board;
      return commandLine(() => ({ EARSHOT_URL: daemon.url, EARSHOT_PROJECT: projectId, EARSHOT_API_KEY: key }));
    };
    const doctor = async () => (await earshotd(daemon.dataDir, ['doctor'], { env: stored })).stdout;
    const counted = async () => (await fetch(`${daemon.url}/metrics`)).text();

    it('goes on after the first crash, is set aside after the second, and begun anew by command', async () => {
      const { id } = await make();
      await reaches(id, 'ready');
      await crashDuring(id, 0);
      await reaches(id, 'ready');
      await crashDuring(id, 1);
      expect(await reaches(id, 'failed')).toMatchObject({ failure: 'daemon_ended_twice' });
      expect(await doctor()).toMatch(/set aside\s+.*1 leaderboard.rebuilds.*earshot leaderboards rebuild BOARD/);
      expect(await counted()).toMatch(/earshot_work_set_aside\{kind="leaderboard_rebuilds"[^}]*\} 1/);

      const cli = await boardCommands();
      const why = await cli.run(['why', 'Points']);
      expect(why.code).toBe(1);
      expect(why.stdout).toMatch(/was set aside: the daemon crashed twice during it/);
      expect(why.stdout).toContain(`earshot leaderboards rebuild ${board.id}`);

      await reaches((await make()).id, 'ready');
      expect(await cli.run(['why', 'Points'])).toMatchObject({ code: 0 });
      expect(await doctor()).not.toMatch(/leaderboard.rebuilds/);
      expect(await counted()).toMatch(/earshot_work_set_aside\{kind="leaderboard_rebuilds"[^}]*\} 0/);
    });
  });
});
