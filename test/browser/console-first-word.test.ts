/** A new installation, and nothing but its console: three steps lead to the first spoken word. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { consoleSessionRoutes } from '../../src/contract/identity/console-sessions.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { chromiumPath, expectFine, picture, Visitor } from '../support/browser.js';
import { button, wide } from '../support/console.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { clip, lendSpeech, speechForTests, spokenFile } from '../support/speech-clips.js';

const speech = chromiumPath === null ? null : await speechForTests();
/** From signing in to the word on the screen. */
const firstWordMs = 180_000;

describe.skipIf(speech === null)('the console of a new installation', { timeout: 300_000 }, () => {
  let daemon: TestDaemon;
  let folder: string;
  let newcomer: Visitor;

  beforeAll(async () => {
    if (speech === null) return;
    folder = mkdtempSync(join(tmpdir(), 'earshot-first-word-'));
    const path = join(folder, 'newcomer.wav');
    writeFileSync(path, spokenFile(0.5, await clip(speech, 'goforward'), 2));
    daemon = await startDaemon({
      settings: { EARSHOT_TRANSCRIBER: 'pocketsphinx' },
      prepare: (dataDir) => {
        mkdirSync(dataDir, { recursive: true });
        lendSpeech(speech, dataDir);
      },
    });
    newcomer = await Visitor.come(path, wide);
  }, 180_000);
  afterAll(async () => {
    await newcomer?.go();
    await daemon?.stop();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });

  it('walks to the first spoken word within three minutes', async () => {
    const { page } = newcomer;
    const began = Date.now();
    const { code } = await daemon.admin.call(consoleSessionRoutes.createCode, {});
    await page.goto(`${daemon.url}/console#code=${code}`);
    const open = page.getByRole('button', { name: 'Open a room in a new tab' });
    await open.waitFor();
    await expectFine(newcomer);
    await page.emulateMedia({ colorScheme: 'light' });
    const [room] = await Promise.all([page.waitForEvent('popup'), open.click()]);
    await room.getByRole('button', { name: 'Join and talk' }).click();
    await room.getByText('You are in the room.').waitFor();
    await page.getByText('the bot listens').waitFor();
    await page.getByText('That was it.').waitFor({ timeout: firstWordMs });
    await page
      .locator('.walk')
      .getByText(/forward|ten|meters/i)
      .first()
      .waitFor();
    expect(Date.now() - began).toBeLessThan(firstWordMs);
    await expectFine(newcomer);
    await picture(newcomer, 'console-first-word-said');
    await page.reload();
    await page.getByText('That was it.').waitFor();
    for (const [name, heading] of [
      ['Invite your colleagues', 'Administration'],
      ['Make a rule that acts by itself', 'Administration'],
      ['Create a key for your game server', 'Developers'],
      ['Connect the game', 'Developers'],
    ] as const) {
      await page.getByRole('link', { name }).click();
      await page.getByRole('heading', { name: heading, exact: true }).waitFor();
      await page.goBack();
    }
    await page.getByRole('link', { name: 'The room, as moderators see it' }).click();
    await button(newcomer, 'Stop the bot').click();
    await button(newcomer, 'Start the bot').waitFor();
    const stopped = () => daemon.admin.call(sessionRoutes.list, { params: { projectId: daemon.projectId }, query: {} });
    await expect.poll(stopped, { timeout: 20_000 }).toMatchObject([{ bot: { cause: 'stopped_by_user' } }]);
    expect(newcomer.complaints).toEqual([]);
  });
});
