/** What forms, filters and lists of the console keep from one moment to the next, and what of it is sent. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { leaderboardRoutes } from '../../src/contract/gameplay/leaderboards.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { settingsRoutes } from '../../src/contract/projects/settings.js';
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

  it('shows in the field whom a new sanction is about, though it comes from a filter', async () => {
    const { page } = admin;
    await open('sanctions?person=u_ana');
    await button(admin, 'Issue a sanction').click();
    const target = page.getByRole('dialog').getByLabel(/external user id/);
    expect(await target.inputValue()).toBe('u_ana');
    await target.fill('u_new');
    await inDialog(admin, 'Issue a sanction').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const active = (externalUserId: string) =>
      daemon.admin.call(sanctionRoutes.activeOfUser, { params: { ...params(), externalUserId } });
    expect([await active('u_new'), await active('u_ana')]).toMatchObject([[{ type: 'mute' }], []]);
  });

  it('stays whole whatever year is typed or stands in the address', async () => {
    const { page } = admin;
    await open('administration/audit?since=123456-01-01');
    await page.getByRole('table', { name: /./ }).or(page.locator('table')).first().waitFor();
    await open('transcripts?since=123456-01-01&until=%2B275760-09-13');
    await page.getByRole('row', { name: /Evening match/ }).waitFor();
    const reason = 'since 2026-99-99T99:99:99Z';
    const body = { type: 'warn', externalUserId: 'u_ana', reason } as const;
    await daemon.admin.call(sanctionRoutes.create, { params: params(), body });
    await open('people/u_ana');
    const timeline = page.locator('section.panel', { hasText: 'Timeline' });
    await timeline.getByText(/2026-99-99T99:99:99Z/).waitFor();
    await daemon.admin.call(leaderboardRoutes.create, {
      params: params(),
      body: { name: 'First board', eventName: 'kill-enemy' },
    });
    await open('gameplay/boards');
    await page.getByRole('row', { name: /First board/ }).click();
    await page.getByLabel(/^End/).first().waitFor();
    // Other browsers let six digits through.
    await page.evaluate(`(() => {
      const field = [...document.querySelectorAll('input[type=datetime-local]')].at(-1);
      field.removeAttribute('max');
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, '123456-01-01T00:00');
      field.dispatchEvent(new Event('input', { bubbles: true }));
    })()`);
    await button(admin, 'Save').click();
    await page.locator('.mantine-InputWrapper-error').first().waitFor();
    await page.getByRole('heading', { name: 'First board' }).or(page.getByText('First board')).first().waitFor();
  });

  it('keeps its screen, and what was typed, where a panel cannot be drawn', async () => {
    const { page } = admin;
    await open('people/u_ben');
    const timeline = page.locator('section.panel', { hasText: 'Timeline' });
    await timeline.locator('li').first().waitFor();
    await page.getByLabel('Note for moderators').fill('Half of a note');
    const broken = { at: '2026-01-01T00:00:00.000Z', kind: 'note', what: 'x', resourceId: null, externalUserId: null };
    await page.route('**/history?*', (route) => route.fulfill({ json: [broken] }));
    await timeline.getByLabel('Filter').selectOption('note');
    await timeline.getByRole('alert').waitFor();
    expect(await page.getByLabel('Note for moderators').inputValue()).toBe('Half of a note');
    await page.getByRole('heading', { name: 'Notes', exact: true }).waitFor();
    await page.unroute('**/history?*');
    await timeline.getByLabel('Filter').selectOption('');
    await timeline.locator('li').first().waitFor();
    expect(await timeline.getByRole('alert').count()).toBe(0);
  });

  it('opens a board without what was chosen in another', async () => {
    const { page } = admin;
    await daemon.admin.call(leaderboardRoutes.create, {
      params: params(),
      body: { name: 'Second board', eventName: 'kill-enemy' },
    });
    await open('gameplay/boards?search=board');
    await page.getByRole('row', { name: /First board/ }).click();
    await page.getByLabel('Around player').fill('u_ana');
    await page.getByText("earshot leaderboards member 'First board' u_ana --around 5").waitFor();
    await page.getByRole('button', { name: /^←/ }).click();
    await page.getByRole('row', { name: /Second board/ }).click();
    await page.getByText("earshot leaderboards show 'Second board'").waitFor();
    expect(await page.getByLabel('Around player').inputValue()).toBe('');
    expect(new URL(page.url()).searchParams.get('search')).toBe('board');
  });

  it('takes letters for text where somebody types, also after g', async () => {
    const { page } = admin;
    await open('people');
    const search = page.getByPlaceholder('Search').or(page.getByRole('textbox')).first();
    await page.getByRole('heading', { name: 'People' }).click();
    await page.keyboard.press('g');
    await search.focus();
    await page.keyboard.type('sam');
    await page.waitForTimeout(300);
    expect(new URL(page.url()).pathname).toMatch(/people$/);
    expect(await search.inputValue()).toBe('sam');
  });

  it('keeps the commas of an entry', async () => {
    const { page } = admin;
    const speechVocabulary = ['gg, well played', 'clutch'];
    await daemon.admin.call(settingsRoutes.update, { params: params(), body: { speechVocabulary } });
    await open('administration/settings');
    const field = page.getByLabel(/^Names and terms for the recogniser/);
    await field.waitFor();
    expect(await field.inputValue()).toBe(speechVocabulary.join('\n'));
    await field.fill([...speechVocabulary, 'ace'].join('\n'));
    await expectFine(admin);
    await button(admin, 'Save').first().click();
    await expect
      .poll(async () => (await daemon.admin.call(settingsRoutes.get, { params: params() })).speechVocabulary)
      .toEqual([...speechVocabulary, 'ace']);
    expect(admin.complaints).toEqual([]);
  });
});
