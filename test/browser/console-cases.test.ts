/** Cases in the console: reports weighed and decided by keys, by two moderators at once, and by a second pair of eyes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sanctionTemplateRoutes } from '../../src/contract/moderation/sanction-templates.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { caseRoutes } from '../../src/contract/reports/cases.js';
import { reportSettingsRoutes } from '../../src/contract/reports/report-settings.js';
import { type CreateReportRequest, reportRoutes } from '../../src/contract/reports/reports.js';
import { chromiumPath, expectFine, picture, type Visitor } from '../support/browser.js';
import { button, comeAs, hostile, settle, tabTo } from '../support/console.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { eventually } from '../support/eventually.js';

describe.skipIf(chromiumPath === null)('cases', { timeout: 120_000 }, () => {
  let daemon: TestDaemon;
  let mo: Visitor;
  let ad: Visitor;
  const params = () => ({ projectId: daemon.projectId });
  const base = () => `${daemon.url}/console/projects/${daemon.projectId}`;
  const report = async (externalUserId: string, reporterUserId: string, more: Partial<CreateReportRequest> = {}) =>
    daemon.admin.call(reportRoutes.create, {
      params: params(),
      body: { externalUserId, reporterUserId, category: 'spam', ...more },
    });
  const read = (id: string) => daemon.admin.call(caseRoutes.get, { params: { ...params(), id } });

  beforeAll(async () => {
    daemon = await startDaemon();
    await settle(daemon);
    await daemon.admin.call(sanctionTemplateRoutes.set, {
      params: { ...params(), name: 'threats' },
      body: { reason: 'Threats are not welcome here.' },
    });
    [mo, ad] = await comeAs(daemon, 'moderator', 'admin');
  }, 120_000);
  afterAll(async () => {
    await Promise.all([mo?.go(), ad?.go()]);
    await daemon?.stop();
  });

  it('come heaviest first with the reason, show their reports, and end with a sanction by keys alone', async () => {
    await report('u_spam', 'u_ana');
    const { caseId } = await report('u_eve', 'u_ana', { category: 'threats', words: hostile });
    await report('u_eve', 'u_ben', { category: 'hate', words: 'Every evening.' });
    const { page } = mo;
    await page.goto(`${base()}/cases`);
    const first = page.getByRole('row', { name: /threats.*2 reports by 2 people/ });
    await first.waitFor();
    const rows = await page.getByRole('row').allInnerTexts();
    const at = (text: string) => rows.findIndex((row) => row.includes(text));
    expect(at('threats')).toBeLessThan(at('u_spam'));
    await expectFine(mo);
    await picture(mo, 'console-cases');
    await tabTo(page, first);
    await page.keyboard.press('Enter');
    await page.getByText('No report of theirs was decided yet; counts like any other').waitFor();
    await page.getByRole('heading', { level: 1 }).getByText('normal').waitFor();
    const summaries = await page.locator('details.report > summary').allInnerTexts();
    expect(summaries.map((text) => text.split(/\s/)[0])).toEqual(['threats', 'hate']); // though it is the older one
    const said = page.locator('.panel').filter({ has: page.getByRole('heading', { name: 'Said lately' }) });
    await said.getByText(hostile).waitFor();
    await page.locator('summary').filter({ hasText: 'Ben Stone' }).focus();
    await page.keyboard.press('Space');
    await page.getByText('Every evening.').waitFor();
    await expectFine(mo);
    await page.keyboard.press('l');
    await page.getByRole('button', { name: /Give back/ }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('p');
    await page.getByText(/^You have claimed the threats of /).waitFor();
    await expectFine(mo);
    await page.getByRole('link', { name: 'To the case' }).click();
    await page.getByRole('button', { name: /Give back/ }).waitFor();
    await page.keyboard.press('s');
    const dialog = page.getByRole('dialog');
    const typeHasFocus = () => dialog.getByLabel('Type').evaluate((it) => it.matches(':focus'));
    await expect.poll(typeHasFocus, { message: 'the first field has the focus' }).toBe(true);
    await dialog.getByLabel('Template').selectOption('threats');
    await dialog.getByLabel('Duration').fill('2d');
    await dialog.getByText(`earshot cases decide ${caseId} --decision sanction --reason-code violation`).waitFor();
    await expectFine(mo);
    await page.keyboard.press('Enter');
    await page.getByText('sanction: against the rules').waitFor();
    const decided = await read(caseId ?? '');
    const sanction = await daemon.admin.call(sanctionRoutes.get, {
      params: { ...params(), id: decided.sanctionId ?? '' },
    });
    expect(sanction).toMatchObject({
      type: 'temp_ban',
      reason: 'Threats are not welcome here.',
      externalUserId: 'u_eve',
    });
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    await page.keyboard.press('n');
    await page.getByText(caseId ?? '').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /Claim/ }).waitFor();
    await page.goto(`${base()}/people/u_eve?kind=report`);
    await page.getByRole('link', { name: 'was reported for hate: Every evening.' }).click();
    await page.waitForURL(`${base()}/cases/${caseId}`);
  });

  it('tell the second of two moderators who decided what, and keep what was typed', async () => {
    const { caseId } = await report('u_both', 'u_ana');
    const claimed = await report('u_claimed', 'u_ana');
    for (const { page } of [mo, ad]) {
      await page.goto(`${base()}/cases/${caseId}`);
      await page.getByLabel('Note with the decision').fill('Looked at it.');
    }
    // The first decision comes in the moment before the second.
    await ad.page.route('**/decide', async (route) => {
      await mo.page.getByRole('heading', { name: /spam/ }).click();
      await mo.page.keyboard.press('v');
      await mo.page.keyboard.press('Enter');
      await mo.page.getByText('no action: no violation').waitFor();
      await route.continue();
    });
    await ad.page.getByRole('button', { name: /Too little evidence i/ }).click();
    await button(ad, 'Send now Enter').click();
    await ad.page
      .getByRole('alert')
      .getByText(/moderator.* has decided this case at .*: no_action \(no_violation\)/)
      .waitFor();
    await ad.page.getByText('no action: no violation').waitFor();
    expect(await ad.page.getByLabel('Note with the decision').inputValue()).toBe('Looked at it.');
    expect(await read(caseId ?? '')).toMatchObject({ reasonCode: 'no_violation', note: 'Looked at it.' });

    await daemon.client.call(caseRoutes.claim, { params: { ...params(), id: claimed.caseId ?? '' } });
    await mo.page.goto(`${base()}/cases/${claimed.caseId}`);
    await mo.page.getByText('claimed', { exact: true }).waitFor();
    expect(await mo.page.getByRole('button', { name: /Claim|Sanction|No violation/ }).count()).toBe(0);
  });

  it('are decided by a key that can be taken back, and sent after some seconds wherever the moderator goes', async () => {
    const { caseId } = await report('u_key', 'u_ana');
    const { page } = mo;
    const status = async () => (await read(caseId ?? '')).status;
    await page.goto(`${base()}/cases/${caseId}`);
    await page.getByRole('button', { name: 'No violation v' }).waitFor();
    await page.keyboard.press('v');
    await page.getByText('Decided: u_key: No violation.').waitFor();
    await page.getByRole('button', { name: /Undo/ }).focus(); // the time stands still
    await expectFine(mo);
    expect(await status()).toBe('open');
    await page.keyboard.press('z');
    await page.getByText('Decided: u_key: No violation.').waitFor({ state: 'detached' });
    expect(await status()).toBe('open');
    await page.keyboard.press('f'); // asks, because it counts against the reporters
    await page.getByText('this counts against everybody who sent them').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('this counts against everybody who sent them').waitFor({ state: 'detached' });
    expect(await status()).toBe('open');
    await page.keyboard.press('v');
    await page.getByText('Decided: u_key: No violation.').waitFor();
    await page.keyboard.press('i'); // in its place
    await page.getByText('Decided: u_key: Too little evidence.').waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('p');
    await page.getByText('Decided: u_key: Too little evidence.').waitFor();
    await expect.poll(status, { timeout: 10_000 }).toBe('decided');
    expect(await read(caseId ?? '')).toMatchObject({ reasonCode: 'insufficient_evidence' });

    const threat = await report('u_day', 'u_ana', { category: 'threats' });
    await page.goto(`${base()}/cases/${threat.caseId}`);
    await page.getByRole('button', { name: 'Ban for a day b' }).waitFor();
    await page.getByRole('button', { name: /^Copy.*"template":"threats"/ }).waitFor();
    await page.keyboard.press('b');
    await page.getByText('Decided: u_day: Ban for a day.').waitFor();
    await expect.poll(async () => (await read(threat.caseId ?? '')).status, { timeout: 10_000 }).toBe('decided');
    const { sanctionId } = await read(threat.caseId ?? '');
    const ban = await daemon.admin.call(sanctionRoutes.get, { params: { ...params(), id: sanctionId ?? '' } });
    expect(ban).toMatchObject({ type: 'temp_ban', duration: 86_400, reason: 'Threats are not welcome here.' });
  });

  it('are decided by what is done last, with what is typed until it is sent', async () => {
    const { caseId } = await report('u_corrected', 'u_ana', { category: 'hate' });
    const { page } = mo;
    await page.goto(`${base()}/cases/${caseId}`);
    await page.getByRole('button', { name: 'No violation v' }).waitFor();
    await page.keyboard.press('v');
    await page.getByText('Decided: u_corrected: No violation.').waitFor();
    await page.keyboard.press('s');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason', { exact: true }).fill('After a second look.');
    await page.getByText('Decided: u_corrected: No violation.').waitFor({ state: 'detached' });
    await page.waitForTimeout(6_000); // a decision is held for five seconds
    expect((await read(caseId ?? '')).status).toBe('open');
    expect(await dialog.getByLabel('Reason', { exact: true }).inputValue()).toBe('After a second look.');
    await page.keyboard.press('Escape');

    const note = page.getByLabel('Note with the decision');
    await note.fill('First thought');
    await page.getByRole('heading', { name: /hate/ }).click();
    await page.keyboard.press('l');
    await page.getByRole('button', { name: /Give back/ }).waitFor();
    expect(await note.inputValue(), 'a claim sends no note').toBe('First thought');
    await page.keyboard.press('v');
    await page.getByRole('button', { name: /Undo/ }).focus(); // the time stands still
    await note.fill('First thought, and a second');
    await page.getByText(/--note 'First thought, and a second'/).waitFor();
    // What is typed after it was sent stays.
    await page.route(
      '**/decide',
      async (route) => {
        await note.fill('For the next one');
        await route.continue();
      },
      { times: 1 },
    );
    await button(mo, 'Send now Enter').click();
    await page.getByText('no action: no violation').waitFor();
    expect(await read(caseId ?? '')).toMatchObject({ note: 'First thought, and a second' });
    expect(await note.inputValue()).toBe('For the next one');
  });

  it('are decided from every page, once they are claimed', async () => {
    const { caseId } = await report('u_bar', 'u_ana', { category: 'hate' });
    const { page } = mo;
    await page.goto(`${base()}/cases/${caseId}`);
    await page.getByRole('button', { name: 'Claim l' }).click();
    await page.getByRole('button', { name: /Give back/ }).waitFor();
    await page.goto(`${base()}/sanctions`);
    const bar = page.getByRole('region', { name: 'The case', exact: true });
    await bar.getByText('You have claimed the hate of u_bar').waitFor();
    await bar.getByRole('button', { name: 'Ban for a day', exact: true }).waitFor();
    await expectFine(mo);
    await bar.getByRole('button', { name: 'Too little evidence', exact: true }).click();
    await button(mo, 'Send now Enter').click();
    await bar.waitFor({ state: 'detached' });
    expect(await read(caseId ?? '')).toMatchObject({ status: 'decided', reasonCode: 'insufficient_evidence' });
  });

  it('do not come again by the key for the next one while their decision waits', async () => {
    const first = await report('u_next', 'u_ana', { category: 'threats' });
    await report('u_next', 'u_ben', { category: 'threats' });
    for (const user of ['u_after', 'u_last']) await report(user, 'u_ana');
    const { page } = mo;
    const { cases } = await daemon.admin.call(caseRoutes.list, { params: params(), query: { status: 'open' } });
    expect(cases[0]?.id, 'the first of the list').toBe(first.caseId);
    const passed: (string | null | undefined)[] = [first.caseId];
    await page.goto(`${base()}/cases/${first.caseId}`);
    await page.getByRole('button', { name: 'No violation v' }).waitFor();
    await page.keyboard.press('v');
    await page.getByText('Decided: u_next: No violation.').waitFor();
    for (const _ of ['next', 'after next']) {
      await page.getByRole('button', { name: /Undo/ }).focus(); // the time stands still
      await page.keyboard.press('n');
      await page.waitForURL(({ pathname }) => pathname.split('/').at(-1) !== passed.at(-1));
      passed.push(page.url().split('/').at(-1));
    }
    expect(passed.slice(1)).not.toContain(first.caseId);
    expect((await read(first.caseId ?? '')).status).toBe('open');
    await page.keyboard.press('z');
  });

  it('are escalated, merged and split', async () => {
    const one = await report('u_one', 'u_ana', { category: 'cheating' });
    const alt = await report('u_alt', 'u_ana');
    const { page } = mo;
    await page.goto(`${base()}/cases/${alt.caseId}`);
    await page.getByRole('button', { name: /Merge/ }).click();
    await page.getByRole('dialog').getByLabel('Find the case that takes it in').fill('ne'); // a part of the id of the person
    await page.getByRole('dialog').getByText('u_one').first().waitFor();
    await expectFine(mo);
    await page.getByRole('dialog').getByRole('button', { name: 'Merge into: cheating u_one' }).click();
    await page.getByRole('link', { name: 'To the case' }).click();
    await page.getByRole('heading', { name: /cheating/ }).waitFor();
    await page.locator('summary').filter({ hasText: 'spam' }).click();
    await page.locator('details[open]').filter({ hasText: 'u_alt' }).getByLabel('Choose to split off').check();
    await page.getByRole('button', { name: `earshot cases split ${one.caseId} --report-ids ${alt.id}` }).waitFor();
    await expectFine(mo);
    await page.getByRole('button', { name: 'Move 1 to a new case' }).click();
    await page.locator('summary').filter({ hasText: 'spam' }).waitFor({ state: 'detached' });
    const { cases } = await daemon.admin.call(caseRoutes.list, {
      params: params(),
      query: { externalUserId: 'u_alt' },
    });
    expect(cases).toMatchObject([{ reports: 1, status: 'open' }]);

    await page.keyboard.press('e');
    await page.getByRole('dialog').getByRole('button', { name: 'Escalate', exact: true }).click();
    await page.getByText('Escalated to').waitFor();
    await page.getByRole('button', { name: /Sanction/ }).waitFor({ state: 'detached' });
    await ad.page.goto(`${base()}/cases/${one.caseId}`);
    await ad.page.getByRole('button', { name: /Sanction/ }).waitFor();
  });

  it('are found by a part of a name, by who claimed them and by category, with their total, and by reviews too', async () => {
    const { page } = mo;
    await report('u_ana', 'u_ben', { category: 'cheating' });
    await page.goto(`${base()}/cases?search=reye`);
    await page.getByText('1 of 1').waitFor();
    const row = page.getByRole('row', { name: /Ana Reyes/ });
    await row.waitFor();
    await page.getByText('earshot cases list --search reye').waitFor();
    await expectFine(mo);
    await page.getByLabel('Mine').check();
    await page.getByText('No case waits.').waitFor();
    await page.getByLabel('Mine').uncheck();
    await page.getByLabel('Every kind').selectOption('hate');
    await page.getByText('No case waits.').waitFor();
    await page.getByLabel('Every kind').selectOption('cheating');
    await row.waitFor();
    await page.goto(`${base()}/cases?kind=appeal&search=stone`);
    await page.getByText('1 of 1').waitFor();
    await page.getByRole('row', { name: /Ben Stone/ }).waitFor();
    await page.getByText('earshot reviews list --kind appeal --undecided --search stone').waitFor();
    await expectFine(mo);
    await page.getByLabel('Person, room or id').fill('nobody so');
    await page.getByText('No appeal waits.').waitFor();
  });

  it('lead to the next one where the moderator asked for it', async () => {
    const decided = await report('u_now', 'u_ana');
    await report('u_then', 'u_ana');
    const { page } = mo;
    await page.goto(`${base()}/cases/${decided.caseId}`);
    await page.getByLabel('Next after deciding').check();
    await page.getByRole('heading', { name: /spam/ }).click();
    await page.keyboard.press('v');
    await page.waitForURL(({ pathname }) => !pathname.endsWith(`${decided.caseId}`));
    await page.keyboard.press('Enter');
    const isNow = (state: object) =>
      eventually(async () => expect(await read(decided.caseId ?? '')).toMatchObject(state));
    await isNow({ status: 'decided', reasonCode: 'no_violation' });
    await page.getByText('Decided: u_now.', { exact: true }).waitFor();
    await page.keyboard.press('z'); // a decision that was sent is taken back, too
    await page.getByText(/^Decided: u_now/).waitFor({ state: 'detached' });
    await isNow({ status: 'open' });
    await page.getByLabel('Next after deciding').uncheck();
  });

  it('wait for a second pair of eyes before a permanent ban', async () => {
    const body = { confirmPermanentBans: true };
    await daemon.admin.call(reportSettingsRoutes.update, { params: params(), body });
    const { caseId } = await report('u_ban', 'u_ana', { category: 'hate' });
    const { page } = mo;
    await page.goto(`${base()}/cases/${caseId}`);
    await page.getByRole('button', { name: /Sanction/ }).click();
    await page.getByRole('dialog').getByLabel('Type').selectOption('perm_ban');
    await page.getByRole('dialog').getByLabel('Duration').fill('');
    await page.getByRole('dialog').getByLabel('Reason', { exact: true }).fill('threats');
    await page.getByRole('dialog').getByLabel('Ban until it is confirmed').fill('1d');
    await page.getByRole('dialog').getByText('--ban-meanwhile 86400s').waitFor();
    await expectFine(mo);
    await page.getByRole('dialog').getByRole('button', { name: 'Issue a sanction' }).click();
    await page.getByText('unconfirmed').waitFor();
    const banned = async () =>
      (await daemon.admin.call(sanctionRoutes.activeOfUser, { params: { ...params(), externalUserId: 'u_ban' } })).map(
        ({ type }) => type,
      );
    expect(await banned()).toEqual(['temp_ban']);
    expect(await page.getByRole('button', { name: /Confirm the ban/ }).count()).toBe(0);
    await ad.page.goto(`${base()}/cases?status=unconfirmed`);
    await ad.page.getByRole('row', { name: /u_ban/ }).click();
    await ad.page.getByRole('button', { name: /Confirm the ban/ }).waitFor();
    await ad.page.getByText('permanent ban until revoked').waitFor();
    await ad.page.locator('dd', { hasText: 'threats' }).waitFor();
    await ad.page.getByText('In force meanwhile').waitFor();
    await expectFine(ad);
    await ad.page.keyboard.press('y');
    await ad.page.keyboard.press('Enter');
    await ad.page.getByText('sanction: against the rules').waitFor();
    expect(await read(caseId ?? '')).toMatchObject({ status: 'decided', decision: 'sanction' });
    expect(await banned()).toEqual(['perm_ban']);
  });

  it('ask before a ban is turned down that leaves another one in force', async () => {
    await daemon.admin.call(reportSettingsRoutes.update, { params: params(), body: { confirmPermanentBans: true } });
    const { caseId } = await report('u_other', 'u_ana', { category: 'hate' });
    const body = { decision: 'sanction', reasonCode: 'violation', sanction: { type: 'perm_ban' } } as const;
    await daemon.client.call(caseRoutes.decide, { params: { ...params(), id: caseId ?? '' }, body });
    const other = { type: 'temp_ban', externalUserId: 'u_other', duration: 600 } as const;
    await daemon.client.call(sanctionRoutes.create, { params: params(), body: other });
    await ad.page.goto(`${base()}/cases/${caseId}`);
    await ad.page.locator('.badge', { hasText: 'ban for a time' }).waitFor();
    await button(ad, 'Turn it down d').click();
    await ad.page.getByRole('dialog').getByText('Another ban of this person stays in force.').waitFor();
    await expectFine(ad);
    await ad.page.getByRole('dialog').getByRole('button', { name: 'Turn it down' }).click();
    await ad.page.getByRole('button', { name: 'No violation v' }).waitFor();
    expect(await read(caseId ?? '')).toMatchObject({ status: 'open', proposedByUserId: null });
  });

  it('get a proposed ban back from whoever proposed it, who decides anew', async () => {
    const { caseId } = await report('u_mistake', 'u_ana', { category: 'hate' });
    await daemon.admin.call(reportSettingsRoutes.update, { params: params(), body: { confirmPermanentBans: true } });
    const { page } = mo;
    await page.goto(`${base()}/cases/${caseId}`);
    await page.getByRole('button', { name: /Sanction/ }).click();
    await page.getByRole('dialog').getByLabel('Type').selectOption('perm_ban');
    await page.getByRole('dialog').getByLabel('Duration').fill('');
    await page.getByRole('dialog').getByRole('button', { name: 'Issue a sanction' }).click();
    await button(mo, 'Withdraw your proposal d').waitFor();
    await expectFine(mo);
    await page.keyboard.press('d');
    await page.getByText('Decided: u_mistake: Withdraw your proposal.').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'No violation v' }).waitFor();
    expect(await read(caseId ?? '')).toMatchObject({ status: 'open', proposedByUserId: null, sanctionId: null });
  });
});
