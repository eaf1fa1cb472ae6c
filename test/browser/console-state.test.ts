/** What forms, filters and lists of the console keep from one moment to the next, and what of it is sent. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { chromiumPath, expectFine, type Visitor } from '../support/browser.js';
import { button, comeAs, inDialog, settle } from '../support/console.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';

describe.skipIf(chromiumPath === null)('the console', { timeout: 120_000 }, () => {
  let daemon: TestDaemon;
  let scene: Awaited<ReturnType<typeof settle>>;
  let admin: Visitor;
  const params = () => ({ projectId: daemon.projectId });
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

  it('changes the end of a sanction only to one that was typed or chosen', async () => {
    const { page } = admin;
    const { id } = scene.mute;
    const read = () => daemon.admin.call(sanctionRoutes.get, { params: { ...params(), id } });
    await open(`sanctions/${id}`);
    const dialog = page.getByRole('dialog');
    const end = dialog.getByLabel('Change the end');
    expect(await end.inputValue()).toMatch(/^(59m\d+s|59m|1h)$/);
    expect(await inDialog(admin, 'Save').isDisabled()).toBe(true);
    await end.press('Enter');
    await expectFine(admin);
    expect((await read()).endAt).toBe(scene.mute.endAt);
    await end.fill('');
    expect(await inDialog(admin, 'Save').isDisabled()).toBe(true);
    await dialog.getByText('Write a number and a unit').waitFor();
    await end.fill('99999999d');
    expect(await inDialog(admin, 'Save').isDisabled(), 'no calendar goes so far').toBe(true);
    await end.fill('2h');
    await dialog.getByText(`earshot sanctions update ${id} --end-at 'in 2h'`).waitFor();
    await inDialog(admin, 'Save').click();
    await expect.poll(async () => (await read()).endAt).not.toBe(scene.mute.endAt);
    expect(Date.parse((await read()).endAt ?? '') - Date.now()).toBeGreaterThan(7_100_000);
    await dialog.getByLabel('Until revoked').check();
    await dialog.getByText(`earshot sanctions update ${id} --clear endAt`).waitFor();
    await expectFine(admin);
    await inDialog(admin, 'Save').click();
    await expect.poll(async () => (await read()).endAt).toBeNull();
    await expect.poll(() => inDialog(admin, 'Save').isDisabled()).toBe(true);
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
