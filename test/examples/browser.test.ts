/** examples/browser: a guest joins in Chromium and is heard. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestAccess } from '../../src/client/room/request-access.js';
import { RoomListener } from '../../src/client/voice/listener.js';
import { routes } from '../../src/contract/routes.js';
import { chromiumPath, Visitor } from '../support/browser.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { type Running, run } from './support.js';

describe.skipIf(chromiumPath === null)('the example of a browser', { timeout: 120_000 }, () => {
  let daemon: TestDaemon;
  let server: Running;
  let visitor: Visitor;
  let origin: string;
  beforeAll(async () => {
    const port = await freePort();
    origin = `http://127.0.0.1:${port}`;
    daemon = await startDaemon({ settings: { EARSHOT_CORS_ORIGINS: origin } });
    const env = { EARSHOT_URL: daemon.url, EARSHOT_API_KEY: daemon.apiKey, EARSHOT_PROJECT: daemon.projectId };
    server = run('browser/server.mjs', { ...env, PORT: String(port) });
    await eventually(() => expect(server.lines[0]).toContain('Open http'));
    visitor = await Visitor.come(null);
  }, 120_000);
  afterAll(async () => {
    await visitor?.go();
    await server?.stop();
    await daemon?.stop();
  });

  it('speaks into the room, shows who is there, and is put out by a kick', async () => {
    const heard = new Set<string>();
    const access = await requestAccess(daemon.client, daemon.projectId, { roomId: 'lobby', userId: 'ear' });
    const listener = new RoomListener(access, { onFrame: ({ speaker }) => heard.add(speaker) });
    await listener.join();

    const { page } = visitor;
    await page.goto(origin);
    await page.click('#join');
    await page.getByText('In the room').waitFor();
    await eventually(() => expect([...heard]).toEqual([expect.stringMatching(/^guest-/)]), 30_000);
    const [guest = ''] = heard;
    await eventually(async () => {
      expect(await page.locator('#people').innerText()).toContain('ear');
      expect(await page.locator('#people').innerText()).toContain(guest);
    });

    const params = { projectId: daemon.projectId, roomId: 'lobby', externalUserId: guest };
    await daemon.client.call(routes.rooms.kick, { params });
    await page.getByText('A moderator removed you from the room').waitFor();
    expect(await page.locator('#join').isEnabled()).toBe(true);
    expect(visitor.complaints).toEqual([]);
    await listener.leave();
  });
});
