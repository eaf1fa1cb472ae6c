/** Firefox in the room page. Unlike Chromium it uses no loopback address for sound. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { tokenRoutes } from '../../src/contract/rooms/tokens.js';
import { chromiumPath, Visitor } from '../support/browser.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { eventually } from '../support/eventually.js';
import { Firefox, firefoxPath } from '../support/firefox.js';

const patienceMs = 60_000;
const talk = '#join';

describe.skipIf(firefoxPath === null || chromiumPath === null)('Firefox', { timeout: 180_000 }, () => {
  let firefox: Firefox;
  let daemon: TestDaemon | null = null;
  beforeAll(async () => {
    firefox = await Firefox.open();
  }, 120_000);
  afterEach(async () => {
    await firefox.goto('about:blank');
    await daemon?.stop();
    daemon = null;
  });
  afterAll(() => firefox?.close());

  const linkFor = async ({ client, projectId }: TestDaemon, userId: string) => {
    const body = { roomId: 'demo', userId };
    const { url, token } = await client.call(tokenRoutes.generateForProject, { params: { projectId }, body });
    return `${url}#token=${token}`;
  };
  const enterByFirefox = async (link: string) => {
    await firefox.goto(link);
    await eventually(async () => expect(await firefox.text('#status')).toContain('not in the room yet'), patienceMs);
    await firefox.click(talk);
  };

  it('and Chromium hear each other on default settings, and leave without a complaint', async () => {
    daemon = await startDaemon();
    const chromium = await Visitor.come(null);
    try {
      const { page } = chromium;
      const failures: string[] = [];
      page.on('response', (answer) => {
        if (answer.status() >= 400) failures.push(`${answer.status()} ${answer.url()}`);
      });
      await enterByFirefox(await linkFor(daemon, 'fox'));
      await eventually(async () => expect(await firefox.text('#status')).toBe('You are in the room.'), patienceMs);
      await page.goto(await linkFor(daemon, 'chrome'));
      await page.click(talk);
      await page.locator('#people [data-user="fox"].speaking').waitFor();
      await eventually(async () => expect(await firefox.energyHeard()).toBeGreaterThan(0.01), patienceMs);

      await page.click('#leave');
      const left = '#people [data-user="chrome"]';
      await eventually(async () => expect(await firefox.count(left)).toBe(0), patienceMs);
      await firefox.click('#leave');
      await page.locator('#people [data-user="fox"]').waitFor({ state: 'detached' });
      expect([...failures, ...firefox.failures, ...chromium.complaints]).toEqual([]);
    } finally {
      await chromium.go();
    }
  });

  it('says what to set where no sound gets through', async () => {
    daemon = await startDaemon({ settings: { EARSHOT_MEDIA_HOST: '127.0.0.1' } });
    await enterByFirefox(await linkFor(daemon, 'fox'));
    await eventually(
      async () =>
        expect(await firefox.text('#unreachable')).toMatch(
          /does not answer this browser at UDP port \d+ of 127\.0\.0\.1\. .*unset EARSHOT_MEDIA_HOST/,
        ),
      patienceMs,
    );
    expect(await firefox.text('#status')).toBe('Joining …');
  });
});
