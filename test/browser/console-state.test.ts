/** What forms, filters and lists of the console keep from one moment to the next, and what of it is sent. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, type Visitor } from '../support/browser.js';
import { comeAs, settle } from '../support/console.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';

describe.skipIf(chromiumPath === null)('the console', { timeout: 120_000 }, () => {
  let daemon: TestDaemon;
  let scene: Awaited<ReturnType<typeof settle>>;
  let admin: Visitor;
  const base = () => `${daemon.url}/console/projects/${daemon.projectId}`;
  const open = async (path: string) => admin.page.goto(`${base()}/${path}`);

  beforeAll(async () => {
    daemon = await startDaemon();
    scene = await settle(daemon);
    [admin] = await comeAs(daemon, 'admin');
  }, 120_000);
  afterAll(async () => {
    await admin?.go();
    await daemon?.stop();
  });

  it('shows in a transcript what was said while another screen was open', async () => {
    const { page } = admin;
    await open(`transcripts/${scene.session.id}`);
    await page.getByText('Anyone for a second round?').waitFor();
    await page.getByRole('link', { name: 'People', exact: true }).click();
    await page.getByRole('heading', { name: 'People' }).waitFor();
    await scene.say('u_ana', 'Said while nobody looked.');
    await page.waitForTimeout(1_000);
    await page.goBack();
    await page.getByText('Anyone for a second round?').waitFor();
    await page.getByText('Said while nobody looked.').waitFor({ timeout: 10_000 });
  });
});
