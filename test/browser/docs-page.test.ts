import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, Visitor } from '../support/browser.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';

describe.skipIf(chromiumPath === null)('GET /docs in a browser', { timeout: 240_000 }, () => {
  let daemon: TestDaemon;
  let visitor: Visitor;
  const asked: string[] = [];

  beforeAll(async () => {
    daemon = await startDaemon();
    visitor = await Visitor.come(null);
    visitor.page.on('request', (request) => asked.push(request.url()));
  }, 120_000);
  afterAll(async () => {
    await visitor?.go();
    await daemon?.stop();
  });

  it('shows the operations of the contract, and asks no other host for anything', async () => {
    const { page } = visitor;
    await page.goto(`${daemon.url}/docs`);
    await page.getByRole('heading', { name: /^Sanctions/ }).click({ timeout: 180_000 }); // the viewer takes 20 s alone
    await page.getByText('Issue a sanction against a participant or a user.').click();
    await page.getByText('sanction_target_required').first().waitFor();
    expect(visitor.complaints).toEqual([]);
    expect(asked.filter((url) => !url.startsWith(daemon.url) && !url.startsWith('data:'))).toEqual([]);
  });

  it('is dark where the browser asks for it, and follows when that changes', async () => {
    const { page } = visitor;
    /** Returns the brightness of a colour, from 0 (black) to 255. */
    const brightness = (what: 'color' | 'backgroundColor') =>
      page.evaluate<number>(`(() => {
        const of = document.querySelector(${what === 'color' ? "'.opblock-summary-description'" : "':root'"});
        return Math.max(...getComputedStyle(of).${what}.match(/\\d+/g).slice(0, 3).map(Number));
      })()`);
    const soon = { timeout: 5_000 };
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(() => brightness('color'), soon).toBeGreaterThan(180);
    await expect.poll(() => brightness('backgroundColor'), soon).toBeLessThan(60);
    await page.emulateMedia({ colorScheme: 'light' });
    await expect.poll(() => brightness('color'), soon).toBeLessThan(120);
    await expect.poll(() => brightness('backgroundColor'), soon).toBeGreaterThan(240);
  });

  it('fits a phone of 360 pixels, with an operation open', async () => {
    const { page } = visitor;
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(360);
    const path = page.locator('.opblock.is-open .opblock-summary-path');
    expect((await path.boundingBox())?.width).toBeGreaterThan(180);
  });
});
