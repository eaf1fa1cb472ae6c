/** People in the console: their marks wherever they are named, and what is done about them taken back where it was done. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { reportRoutes } from '../../src/contract/reports/reports.js';
import { chromiumPath, expectFine, Visitor } from '../support/browser.js';
import { button, colleague, comeAs, enterRoom, settle, signIn, wide } from '../support/console.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { eventually } from '../support/eventually.js';

describe.skipIf(chromiumPath === null)('people in the console', { timeout: 120_000 }, () => {
  let daemon: TestDaemon;
  let mo: Visitor;
  let viewer: Visitor;
  let ana: Visitor;
  const params = () => ({ projectId: daemon.projectId });
  const base = () => `${daemon.url}/console/projects/${daemon.projectId}`;
  const activeOf = (externalUserId: string) =>
    daemon.admin.call(sanctionRoutes.activeOfUser, { params: { ...params(), externalUserId } });
  const typesOf = async (externalUserId: string) => (await activeOf(externalUserId)).map(({ type }) => type).sort();

  beforeAll(async () => {
    daemon = await startDaemon();
    await settle(daemon, { name: 'Eve Moss', text: 'Good game.' });
    [mo, viewer] = await comeAs(daemon, 'moderator', 'viewer');
    ana = await Visitor.come(null);
    await enterRoom(ana, daemon, 'u_ana', 'Ana Reyes');
  }, 120_000);
  afterAll(async () => {
    await Promise.all([mo?.go(), viewer?.go(), ana?.go()]);
    await daemon?.stop();
  });

  it('are muted in a room, which shows the end and unmutes them', async () => {
    const { page } = mo;
    await page.goto(`${base()}/rooms/court`);
    await page.getByRole('button', { name: 'Ana Reyes', exact: true }).click();
    await button(mo, 'Mute 10 min m').click();
    await page.getByText('Ana Reyes is muted for 10 minutes.').waitFor();
    await page.getByText(/^muted (10m|9m \d+s)$/).waitFor();
    await expectFine(mo);
    await button(mo, 'Unmute m').click();
    await page.getByText('Ana Reyes is no longer muted.').waitFor();
    expect(await typesOf('u_ana')).toEqual([]);
    await button(mo, 'Mute 10 min m').waitFor();
  });

  it('are muted and unmuted by the same key, and `z` takes the last act back on another screen', async () => {
    const { page } = mo;
    await page.waitForTimeout(600); // sooner, it would be the second click of a double click
    await page.keyboard.press('m');
    await button(mo, 'Unmute m').waitFor();
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.keyboard.press('z');
    await eventually(async () => expect(await typesOf('u_ana')).toEqual([]));
    await page.getByText('Ana Reyes is muted for 10 minutes.').waitFor({ state: 'detached' });
  });

  it('are unmuted from the list of rooms and from their own page, and muted again by `z`', async () => {
    const { page } = mo;
    const mute = { type: 'mute', externalUserId: 'u_ana', duration: 600 } as const;
    await daemon.client.call(sanctionRoutes.create, { params: params(), body: mute });
    await page.goto(`${base()}/rooms`);
    await page.getByLabel('Room', { exact: true }).fill('reye');
    await page.getByRole('listitem', { name: 'court' }).getByRole('button', { name: 'Unmute', exact: true }).click();
    await page.getByText('Ana Reyes is no longer muted.').waitFor();
    await page.keyboard.press('z');
    await eventually(async () => expect(await typesOf('u_ana')).toEqual(['mute']));
    await page.goto(`${base()}/people/u_ana`);
    await page
      .getByRole('heading', { name: /Ana Reyes/ })
      .getByText(/^muted \d/)
      .waitFor();
    await expectFine(mo);
    await button(mo, 'Unmute m').click();
    await eventually(async () => expect(await typesOf('u_ana')).toEqual([]));
  });

  it('are listed with when they were seen, sanctions and reports, and found by part of a name, an id, or a state', async () => {
    await daemon.client.call(reportRoutes.create, {
      params: params(),
      body: { reporterUserId: 'u_ana', externalUserId: 'u_eve', category: 'spam' },
    });
    const { page } = mo;
    await page.goto(`${base()}/people`);
    await page.getByRole('row', { name: /Ana Reyes.*here now/ }).waitFor();
    await page.getByRole('row', { name: /Ben Stone.*muted.*mute/ }).waitFor();
    await page.getByRole('row', { name: /Eve Moss.*reported 1×/ }).waitFor();
    await expectFine(mo);
    await page.getByLabel('Filter').selectOption('muted');
    await page.getByText('1 of 1').waitFor();
    await page.getByRole('row', { name: /Ben Stone/ }).waitFor();
    await page.getByText('earshot participants list --state muted').waitFor();
    await page.getByLabel('Filter').selectOption('reported');
    await page.getByRole('row', { name: /Eve Moss/ }).waitFor();
    await page.getByLabel('Name or id').fill('oss');
    await page.getByText('1 of 1').waitFor();
    await page.getByLabel('Filter').selectOption('');
    await page.getByLabel('Name or id').fill('U_BE');
    await page.getByRole('row', { name: /Ben Stone/ }).waitFor();
    await viewer.page.goto(`${base()}/people`);
    await viewer.page.getByRole('row', { name: /Ben Stone.*muted/ }).waitFor();
    expect(await viewer.page.getByText(/reported/i).count()).toBe(0);
  });

  it('are named with initials, marks and their id behind a button', async () => {
    await daemon.admin.call(participantRoutes.create, {
      params: params(),
      body: { externalUserId: 'u_kid', displayName: 'Kim Little', minor: true },
    });
    const body = { type: 'temp_ban', externalUserId: 'u_kid', duration: 7_200 } as const;
    await daemon.client.call(sanctionRoutes.create, { params: params(), body });
    const { page } = mo;
    await page.goto(`${base()}/sanctions?person=u_kid`);
    const row = page.getByRole('row', { name: /Kim Little/ });
    await row.getByText(/^banned 1h 59m/).waitFor();
    await row.getByText('minor', { exact: true }).waitFor();
    await row.getByText('new', { exact: true }).waitFor();
    await row.getByText('KL', { exact: true }).waitFor();
    await row.getByRole('button', { name: 'Copy the id u_kid' }).waitFor();
  });

  it('are seen at times as the reader writes them', async () => {
    const british = await Visitor.come(null, { ...wide, locale: 'en-GB' });
    await signIn(
      british,
      daemon,
      await colleague(daemon, 'viewer', 'british'),
      `/projects/${daemon.projectId}/sanctions`,
    );
    const row = british.page.getByRole('row', { name: /Kim Little/ });
    expect(await row.locator('time').allInnerTexts()).toContainEqual(expect.stringMatching(/^\d\d:\d\d:\d\d$/));
    await british.go();
  });

  it('have several sanctions revoked or extended at once, and `z` takes that back', async () => {
    const { page } = mo;
    for (const externalUserId of ['u_one', 'u_two', 'u_three'])
      await daemon.client.call(sanctionRoutes.create, {
        params: params(),
        body: { type: 'text_mute', externalUserId, duration: 3_600, reason: 'Flood' },
      });
    await page.goto(`${base()}/sanctions?type=text_mute&active=yes`);
    await page.getByText('3 of 3').waitFor();
    await page.getByLabel('Select all rows shown').check();
    await page.getByText('3 selected').waitFor();
    await expectFine(mo);
    await page.getByLabel('Longer by').fill('1h');
    await button(mo, 'Extend 3').click();
    await page.getByText('3 sanctions extended.').waitFor();
    const [before] = await activeOf('u_one');
    expect(Date.parse(before?.endAt ?? '') - Date.parse(before?.startAt ?? '')).toBe(7_200_000);
    await page.keyboard.press('z');
    await eventually(async () => {
      const [now] = await activeOf('u_one');
      expect(Date.parse(now?.endAt ?? '') - Date.parse(now?.startAt ?? '')).toBe(3_600_000);
    });
    await page.getByRole('row', { name: /u_one/ }).getByLabel('Select').check();
    await page.getByRole('row', { name: /u_two/ }).getByLabel('Select').check();
    await button(mo, 'Revoke 2').click();
    await page.getByText('2 sanctions revoked.').waitFor();
    expect(await typesOf('u_one')).toEqual([]);
    expect(await typesOf('u_three')).toEqual(['text_mute']);
    await button(mo, 'Undo z').click();
    await eventually(async () => expect(await typesOf('u_two')).toEqual(['text_mute']));
    await viewer.page.goto(`${base()}/sanctions?type=text_mute`);
    await viewer.page.getByRole('row', { name: /u_one/ }).waitFor();
    expect(await viewer.page.getByRole('checkbox', { name: /select/i }).count()).toBe(0);
  });

  it('are acted on by what is typed after Ctrl-K, kept from the first letter on', async () => {
    const { page } = mo;
    await page.goto(`${base()}/overview`);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('warn stone');
    await page.getByRole('option', { name: 'Warn Ben Stone' }).waitFor();
    expect(await page.getByRole('combobox', { name: 'Search' }).inputValue()).toBe('warn stone');
    await expectFine(mo);
    await page.getByRole('combobox', { name: 'Search' }).fill('ban kim 2h');
    await page.getByRole('option', { name: 'Ban Kim Little for 2h' }).waitFor();
    await page.getByRole('combobox', { name: 'Search' }).fill('mute reyes 15m');
    await page.getByRole('option', { name: 'Mute Ana Reyes for 15m' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('combobox', { name: 'Search' }).waitFor({ state: 'hidden' });
    await page.getByText('Mute Ana Reyes for 15m', { exact: true }).waitFor();
    expect(await activeOf('u_ana')).toMatchObject([{ type: 'mute', duration: 900 }]);
    await page.keyboard.press('z');
    await eventually(async () => expect(await typesOf('u_ana')).toEqual([]));
    await page.keyboard.press('Control+k');
    await page.keyboard.type('mute court');
    await page.getByRole('option', { name: 'Mute Room court' }).waitFor();
    await viewer.page.goto(`${base()}/overview`);
    await viewer.page.getByRole('heading', { name: 'Overview' }).waitFor();
    await viewer.page.keyboard.press('Control+k');
    await viewer.page.keyboard.type('mute reyes');
    await viewer.page.getByRole('option', { name: 'Open mute reyes' }).waitFor();
    expect(await viewer.page.getByRole('option', { name: /^Mute / }).count()).toBe(0);
  });

  it('are listed as they were in a room when something happened', async () => {
    const { page } = mo;
    const at = new Date(Date.now() + 1_000).toISOString();
    await page.goto(`${base()}/rooms/court?at=${encodeURIComponent(new Date().toISOString())}`);
    const here = page.getByRole('list', { name: 'Who was here' });
    await here.getByRole('listitem').filter({ hasText: 'Ana Reyes' }).getByText('still here').waitFor();
    await expectFine(mo);
    await page.goto(`${base()}/rooms/court?at=2026-01-01T00:00:00.000Z`);
    await page.getByText('Nobody was here then').waitFor();
    await ana.go();
    await page.goto(`${base()}/rooms/court?at=${encodeURIComponent(at)}`);
    await page.getByRole('list', { name: 'Who was here' }).getByRole('link', { name: 'Ana Reyes' }).waitFor();
    expect(mo.complaints).toEqual([]);
  });
});
