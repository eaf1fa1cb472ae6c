import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromiumPath, Visitor } from '../support/browser.js';
import { wide } from '../support/console.js';
import { administrator } from '../support/daemon-process.js';
import { clip, lendSpeech, speechForTests, spokenFile } from '../support/speech-clips.js';
import type { Scene } from './scene.js';

const goalMs = 180_000;

export const scene: Scene = {
  title: 'A newcomer: from the sign-in to the first spoken word',
  long: true,
  settings: { EARSHOT_TRANSCRIBER: 'auto' },
  async play(stage) {
    const speech = await speechForTests();
    if (speech === null || chromiumPath === null) return stage.tell('Here is no recogniser, or no Chromium.');
    lendSpeech(speech, stage.daemon.dataDir);
    const wav = join(stage.folder, 'newcomer.wav');
    writeFileSync(wav, spokenFile(0.5, await clip(speech, 'goforward'), 2));
    const newcomer = await Visitor.come(wav, wide);
    try {
      stage.tell(
        'A fresh installation. The newcomer has read what its start printed: an address, an e-mail, a password.',
      );
      const { page } = newcomer;
      const began = Date.now();
      await page.goto(`${stage.url}/console`);
      await page.getByLabel('E-mail').fill(administrator.email);
      await page.getByLabel('Password', { exact: true }).fill(administrator.password);
      await page.keyboard.press('Enter');
      stage.tell('The overview says what to do first: a button opens a room, in which the bot already listens.');
      const open = page.getByRole('button', { name: 'Open a room in a new tab' });
      const [room] = await Promise.all([page.waitForEvent('popup'), open.click()]);
      await room.getByRole('button', { name: 'Join and talk' }).click();
      await page.getByText('That was it.').waitFor({ timeout: goalMs });
      const seconds = (Date.now() - began) / 1_000;
      stage.show(await page.locator('.walk').innerText());
      stage.check(`the first word is on the screen after ${seconds.toFixed(1)} s`, seconds * 1_000 < goalMs);
      stage.check('the page does not complain', newcomer.complaints.length === 0);
    } finally {
      await newcomer.go();
    }
  },
};
