import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, Visitor } from '../support/browser.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';

describe.skipIf(chromiumPath === null)('GET /docs in a browser', { timeout: 120_000 }, () => {
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
    await page.getByRole('heading', { name: /^Sanctions/ }).click();
    await page.getByText('Issue a sanction against a participant or a user.').click();
    await page.getByText('sanction_target_required').first().waitFor();
    expect(visitor.complaints).toEqual([]);
    expect(asked.filter((url) => !url.startsWith(daemon.url) && !url.startsWith('data:'))).toEqual([]);
  });
});
