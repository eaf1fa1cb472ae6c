import { chromiumPath, Visitor } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { Firefox, firefoxPath } from '../support/firefox.js';
import type { Scene } from './scene.js';

const patienceMs = 60_000;

export const scene: Scene = {
  title: "README's five minutes: Firefox and Chromium hear each other",
  long: true,
  async play(stage) {
    if (firefoxPath === null || chromiumPath === null) return stage.tell('Here is no Firefox, or no Chromium.');
    const firefox = await Firefox.open();
    const chromium = await Visitor.come(null);
    try {
      stage.tell(
        'A link for one person opens the page of the room, in Firefox; a second one in Chromium. Both press "Join and talk".',
      );
      const link = async () => (await stage.run('earshot rooms open demo')).stdout.trim();
      await firefox.goto(await link());
      const isReady = async () => (await firefox.text('#status')).includes('not in the room yet');
      await eventually(async () => ready(await isReady(), 'the page is open'), patienceMs);
      await firefox.click('#join');
      const { page } = chromium;
      await page.goto(await link());
      await page.click('#join');

      const joined = 'You are in the room.';
      await eventually(async () => ready((await firefox.text('#status')) === joined, 'Firefox is in'), patienceMs);
      await page.getByText(joined).waitFor();
      stage.check('Firefox is in the room, on the settings that npm start has', true);
      await page.locator('#people .speaking').first().waitFor();
      stage.check('Chromium shows that Firefox speaks', (await page.locator('#people .speaking').count()) > 0);
      await eventually(async () => ready((await firefox.energyHeard()) > 0.01, 'Firefox hears'), patienceMs);
      stage.check('Firefox hears Chromium', (await firefox.energyHeard()) > 0.01);
      await stage.run('earshot rooms list');
      stage.check('neither page complains', [...firefox.failures, ...chromium.complaints].length === 0);
    } finally {
      await firefox.close();
      await chromium.go();
    }
  },
};

/** Throws until the state is reached. */
function ready(isReached: boolean, state: string): void {
  if (!isReached) throw new Error(`Not yet: ${state}.`);
}
