/** Rebuilding a leaderboard on the command line: what it says of the difference, and when it ends otherwise than wanted. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { leaderboardRebuildRoutes, type RebuildStatus } from '../../src/contract/gameplay/leaderboard-rebuilds.js';
import { commandLine } from '../support/cli.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { eventually } from '../support/eventually.js';
import { writeBeside } from '../support/write-beside.js';

let daemon: TestDaemon;
let board: { projectId: string; id: string };
const cli = commandLine(() => ({ EARSHOT_URL: daemon.url, EARSHOT_API_KEY: daemon.apiKey }));
beforeAll(async () => {
  // Without background jobs a rebuild stays as far as it is.
  daemon = await startDaemon({ settings: { EARSHOT_ROLES: 'http' } });
  const create = ['leaderboards', 'create', '--name', 'Kills', '--event-name', 'kill-enemy'];
  const { id } = await cli.json<{ id: string }>(create);
  board = { projectId: daemon.projectId, id };
});
afterAll(async () => {
  await daemon.stop();
  cli.dispose();
});

/** The newest rebuild of the board, once it has the status. */
const newest = (status: RebuildStatus) =>
  eventually(async () => {
    const { rebuilds } = await daemon.client.call(leaderboardRebuildRoutes.list, { params: board });
    expect(rebuilds[0]).toMatchObject({ status });
    return rebuilds[0]?.id ?? '';
  });
const cancel = async (status: RebuildStatus) =>
  daemon.client.call(leaderboardRebuildRoutes.cancel, { params: { ...board, rebuildId: await newest(status) } });
/** Puts a rebuild into the state that the background job leaves. */
const counted = (rebuildId: string, changed: number) =>
  writeBeside(
    daemon.databaseUrl,
    `UPDATE "LeaderboardRebuild" SET "status" = 'ready', "progress" = 1, "changed" = ? WHERE "id" = ?`,
    ...[changed, rebuildId],
  );

describe('earshot leaderboards', () => {
  it('rebuild ends with 5 where the rebuild was cancelled meanwhile', async () => {
    const running = cli.run(['leaderboards', 'rebuild', 'kills', '--apply']);
    await cancel('counting');
    const { code, stdout, stderr } = await running;
    expect(code).toBe(5);
    expect(stderr).toBe('The rebuild is cancelled, not ready: it was cancelled or changed in the meantime.\n');
    expect(stdout).toContain('cancelled');
  });

  it('rebuild --apply and apply-rebuild end with 5 where applying was cancelled, and offer no way back', async () => {
    const running = cli.run(['leaderboards', 'rebuild', 'kills', '--apply']);
    await counted(await newest('counting'), 1);
    await cancel('applying');
    const refused = {
      code: 5,
      stderr: 'The rebuild is ready, not applied: it was cancelled or changed in the meantime.\n',
    };
    expect(await running).toMatchObject(refused);
    const again = cli.run(['leaderboards', 'apply-rebuild', 'kills', await newest('ready')]);
    await cancel('applying');
    expect(await again).toMatchObject(refused);
    await cancel('ready');
  });

  it.each([
    [0, '0 members differ'],
    [1, '1 member differs'],
    [2, '2 members differ'],
  ])('get-rebuild says of %i in words', async (changed, says) => {
    const { id } = await cli.json<{ id: string }>(['leaderboards', 'rebuild', 'kills', '--detach']);
    await counted(id, changed);
    expect((await cli.run(['leaderboards', 'get-rebuild', 'kills', id])).stdout).toContain(`; ${says}\n`);
    expect((await cli.run(['leaderboards', 'cancel-rebuild', 'kills', id])).code).toBe(0);
  });
});
