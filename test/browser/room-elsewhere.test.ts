/** The page of a room that another daemon of the same database has: it goes there by itself, with the same link. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EarshotClient } from '../../src/client/earshot-client.js';
import { accessOf, pageLink } from '../../src/client/room/room-access.js';
import { settingsRoutes } from '../../src/contract/projects/settings.js';
import { tokenRoutes } from '../../src/contract/rooms/tokens.js';
import { chromiumPath, expectFine, Visitor } from '../support/browser.js';
import { DaemonProcess } from '../support/daemon-process.js';
import { eventually } from '../support/eventually.js';
import { hasPostgresql, type PostgresqlServer, startPostgresql } from '../support/postgresql.js';
import { deadOffer, postOffer, roomToken, signIn } from '../support/room-client.js';

const roomId = 'court';

describe.skipIf(chromiumPath === null || !hasPostgresql)('the page of a room elsewhere', { timeout: 180_000 }, () => {
  let server: PostgresqlServer;
  let daemons: readonly [DaemonProcess, DaemonProcess];
  let client: EarshotClient;
  let projectId: string;
  let visitor: Visitor;

  beforeAll(async () => {
    server = await startPostgresql();
    const settings = { DATABASE_URL: server.url, EARSHOT_MASTER_KEY: 'cd'.repeat(32) };
    daemons = [new DaemonProcess(settings), new DaemonProcess(settings)];
    await daemons[0].start();
    await daemons[1].start();
    ({ client, projectId } = await signIn(daemons[1].url));
    await client.call(settingsRoutes.e2eEncryption, { params: { projectId }, body: { mode: 'automatic' } });
    visitor = await Visitor.come(null);
  }, 120_000);
  afterAll(async () => {
    await visitor?.go();
    for (const daemon of daemons) await daemon.dispose();
    await server.stop();
  });

  /** A link to the page of the one or the other. */
  const linkAt = async ({ url }: DaemonProcess) => {
    const body = { roomId, userId: 'ann', displayName: 'Ann Lee' };
    const access = accessOf(await client.call(tokenRoutes.generateForProject, { params: { projectId }, body }));
    return pageLink({ ...access, url: `${url}/rooms/${roomId}` });
  };
  const isAt = ({ url }: DaemonProcess) => visitor.page.waitForURL(`${url}/rooms/${roomId}`);
  const says = (words: string) => visitor.page.getByText(words).waitFor();
  const join = async () => {
    await visitor.page.getByRole('button', { name: 'Join and talk' }).click();
    await says('You are in the room.');
  };
  const moved = 'The room has moved to another server, and this page with it. Join again.';

  it('opens at the daemon that has the room, with token and key', async () => {
    const [first, second] = daemons;
    await visitor.page.goto(await linkAt(second));
    await says('The room has moved to another server; connecting you there');
    await isAt(first);
    await says(moved);
    await expectFine(visitor);
    await join();
    expect(await visitor.page.getByText(moved).isVisible()).toBe(false);
    await visitor.page.reload();
    await says('You are not in the room yet.');
    expect(await visitor.page.getByText(moved).isVisible()).toBe(false);
    await join();
  });

  it('follows the room while somebody is in it', async () => {
    const [first, second] = daemons;
    process.kill(first.pid ?? 0, 'SIGSTOP');
    try {
      const offer = async () => {
        const token = await roomToken(client, projectId, 'other', 'eve');
        return postOffer(second.url, 'whip', 'other', token, deadOffer('whip'));
      };
      await eventually(async () => expect((await offer()).status).toBe(201), 60_000);
    } finally {
      process.kill(first.pid ?? 0, 'SIGCONT');
    }
    await isAt(second);
    await says(moved);
    await join();
  });

  it('has complained of nothing', () => {
    expect(visitor.complaints).toEqual([]);
  });
});
