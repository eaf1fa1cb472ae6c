/** Administration in the console: run by an administrator, read by a viewer, with the stop of all rules for a moderator. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pluginInstanceRoutes } from '../../src/contract/plugins/plugins.js';
import { projectUserRoutes } from '../../src/contract/projects/projects.js';
import { settingsRoutes } from '../../src/contract/projects/settings.js';
import { ruleRoutes } from '../../src/contract/rules/rules.js';
import { chromiumPath, expectFine, picture, Visitor } from '../support/browser.js';
import { button, comeAs, enterRoom, inDialog, settle, signIn, wide } from '../support/console.js';
import { administrator, startDaemon, type TestDaemon } from '../support/daemon.js';
import { spokenLine } from '../support/spoken-line.js';

describe.skipIf(chromiumPath === null)('administration', { timeout: 180_000 }, () => {
  let daemon: TestDaemon;
  let admin: Visitor;
  let mo: Visitor;
  let viewer: Visitor;
  const params = () => ({ projectId: daemon.projectId });
  const at = (tab: string) => `${daemon.url}/console/projects/${daemon.projectId}/administration/${tab}`;
  /** Answers the question before an act by its button. */
  const confirm = async (visitor: Visitor, name: string) => {
    await inDialog(visitor, name).click();
    await visitor.page.getByRole('dialog').waitFor({ state: 'detached' });
  };

  beforeAll(async () => {
    daemon = await startDaemon();
    await settle(daemon, { name: 'Eve Marsh', text: 'Leave me alone.' });
    [admin, mo, viewer] = await comeAs(daemon, 'admin', 'moderator', 'viewer');
  }, 180_000);
  afterAll(async () => {
    await Promise.all([admin?.go(), mo?.go(), viewer?.go()]);
    await daemon?.stop();
  });

  it('changes settings, with the refusals of the contract at the field while it is typed', async () => {
    const { page } = admin;
    await page.goto(at('settings'));
    const days = page.getByLabel('Keep transcripts for');
    await days.fill('9999');
    await page.getByText('must be at most 3650').waitFor();
    await expectFine(admin);
    await days.fill('12w6d');
    await spokenLine(daemon, daemon.projectId, 'spoken');
    await page.getByLabel('Least confidence of speech (0–1)').fill('0.6');
    await page
      .getByText('earshot settings update --transcript-retention-days 90 --speech-confidence-min 0.6')
      .waitFor();
    await page.locator('section', { hasText: 'Rooms and transcripts' }).getByRole('button', { name: 'Save' }).click();
    await expect
      .poll(() => daemon.admin.call(settingsRoutes.get, { params: params() }))
      .toMatchObject({ transcriptRetentionDays: 90, speechConfidenceMin: 0.6 });
    await page
      .getByText('“Least confidence of speech (0–1)” has no effect: the last line, by sherpa, states no such number.')
      .waitFor();
    await button(admin, 'Store debug audio').click();
    await button(admin, 'Stop storing it').waitFor();
    const secret = async () => (await daemon.admin.call(settingsRoutes.secret, { params: params() })).secret;
    await daemon.admin.call(settingsRoutes.syncSecret, { params: params() });
    const before = await secret();
    await page.getByText('earshot settings rotate-secret --overlap-seconds 1d').waitFor();
    await button(admin, 'Replace the secret').click();
    await page.getByText('Signatures by the previous one are accepted for').last().waitFor();
    await expect.poll(secret).not.toBe(before);
    await viewer.page.goto(at('settings'));
    await viewer.page.getByText('embedded').waitFor();
    expect(await viewer.page.getByRole('button', { name: /save|store|show/i }).count()).toBe(0);
    await expectFine(viewer);
  });

  it('invites people, changes their role, and removes them', async () => {
    const { page } = admin;
    await page.goto(at('people'));
    await button(admin, 'Invite').click();
    await page
      .getByRole('dialog')
      .getByLabel(/^E-mail addresses/)
      .fill('nobody');
    await page.getByText('must be an e-mail address').waitFor();
    await page
      .getByRole('dialog')
      .getByLabel(/^E-mail addresses/)
      .fill('new@example.com\nann@example.com\nbob@example.com');
    await page.getByRole('dialog').getByLabel('Role').selectOption('moderator');
    await page
      .getByText('earshot users invite new@example.com ann@example.com bob@example.com --role moderator')
      .waitFor();
    await expectFine(admin);
    await page.getByRole('dialog').getByRole('button', { name: 'Invite', exact: true }).click();
    await expect.poll(() => page.getByText(/#token=/).count()).toBe(3);
    const users = () => daemon.admin.call(projectUserRoutes.list, { params: params() });
    const role = async () => (await users()).find(({ email }) => email === 'new@example.com')?.role;
    await page.keyboard.press('Escape');
    await page.mouse.move(0, 0); // rows wait while the pointer is on the table
    await page.getByLabel('Role of new@example.com').focus();
    await page.keyboard.press('ArrowUp'); // chooses alone
    expect(await page.getByLabel('Role of new@example.com').inputValue()).toBe('viewer');
    expect(await role()).toBe('moderator');
    await page.getByRole('button', { name: 'Make new@example.com viewer' }).click();
    await expect.poll(role).toBe('viewer');
    await expectFine(admin);
    await page.getByRole('row', { name: /^new@/ }).getByRole('button', { name: 'Withdraw' }).click();
    await confirm(admin, 'Withdraw');
    await expect.poll(role).toBeUndefined();
    await viewer.page.goto(at('people'));
    await viewer.page.getByRole('row', { name: /admin@example.com/ }).waitFor();
    expect(await viewer.page.getByRole('button', { name: /invite|remove|withdraw/i }).count()).toBe(0);
  });

  it('installs a plugin by the form that its schema makes', async () => {
    const { page } = admin;
    await page.goto(at('plugins'));
    await page.locator('section.panel', { hasText: 'Marks insults' }).getByRole('button', { name: 'Install…' }).click();
    await page.getByLabel('Threshold').fill('2');
    await page.getByText('must be at most 1').waitFor();
    await page.getByLabel('Threshold').fill('0.7');
    await page.getByText('earshot plugins install toxicity --set threshold=0.7').waitFor();
    await expectFine(admin);
    await page.getByRole('dialog').getByRole('button', { name: 'Install', exact: true }).click();
    await button(admin, 'Disable').click();
    await button(admin, 'Enable').waitFor();
    expect(await daemon.admin.call(pluginInstanceRoutes.list, { params: params() })).toMatchObject([
      { pluginId: 'toxicity', enabled: false, settings: { threshold: 0.7 } },
    ]);
    await expectFine(admin);
  });

  it('writes a rule, tries it on the past, enforces it and rolls it back', async () => {
    const { page } = admin;
    await page.goto(at('rules'));
    await page.getByText('No rule yet').waitFor();
    await button(admin, 'New rule').click();
    await page.getByLabel('Name').fill('Watch your language');
    await button(admin, 'Create').click();
    await page.getByText('is required').first().waitFor();
    const kind = page.getByLabel('Kind', { exact: true }).first();
    expect(await kind.locator(':checked').textContent()).toBe('again and again:');
    await kind.selectOption('words');
    await page.getByLabel('Words and phrases').fill('idiot, fool');
    await page.getByLabel('For how long').fill('soon');
    await page.getByText(/^must be a/).waitFor();
    expect(await page.getByRole('button', { name: /Try on the last/ }).count()).toBe(0);
    await expectFine(admin);
    await page.getByLabel('For how long').fill('1h');
    await button(admin, '+ What happens the next time').click();
    await page.getByLabel('Kind', { exact: true }).nth(3).selectOption('review');
    await picture(admin, 'console-rule-sentence');
    await button(admin, 'JSON').click();
    const definition = page.getByLabel('What the rule does (JSON)');
    const text = await definition.inputValue();
    expect(JSON.parse(text)).toMatchObject({
      when: { all: [{ words: { any: ['idiot', 'fool'] } }] },
      steps: [[{ sanction: { type: 'mute', duration: 3_600 } }], [{ review: {} }]],
    });
    await definition.fill(text.replace('"words"', '"word"'));
    await page.getByText('when.all.0.word: there is no such field').waitFor();
    await definition.fill(text);
    await button(admin, 'Edit as a form').click();
    expect(await page.getByLabel('Words and phrases').inputValue()).toBe('idiot, fool');
    await page.getByRole('button', { name: /Try on the last/ }).click();
    const report = page.getByRole('dialog');
    await report.getByText('Messages judged', { exact: true }).waitFor();
    await report.getByRole('link', { name: /Ben Stone/ }).waitFor();
    await expectFine(admin);
    await page.keyboard.press('Escape');
    await button(admin, 'Create').click();
    await page.getByRole('heading', { name: 'Watch your language' }).waitFor();
    await button(admin, 'Enforce').click();
    await page.getByText("earshot rules update 'Watch your language' --mode enforce").waitFor();
    await confirm(admin, 'Enforce');
    await page.getByRole('heading', { name: 'Version 2' }).waitFor();
    await picture(admin, 'console-rule');
    await expectFine(admin);
    await page.getByLabel('Name').fill('Mind your words');
    const mode = page.getByLabel('Mode', { exact: true });
    expect(await mode.inputValue()).toBe('enforce');
    await button(admin, 'Make it judge').click();
    await confirm(admin, 'Make it judge');
    await page.getByRole('heading', { name: 'Version 3' }).waitFor();
    expect(await mode.inputValue(), 'what nobody touched follows').toBe('dry-run');
    expect(await page.getByLabel('Name').inputValue(), 'what was typed stays').toBe('Mind your words');
    expect(await daemon.admin.call(ruleRoutes.list, { params: params() })).toMatchObject([
      { version: 3, definition: { mode: 'dry-run' } },
    ]);
  });

  it('lets a moderator stop all rules and no more, and a viewer read', async () => {
    await mo.page.goto(at('rules'));
    await mo.page.getByRole('row', { name: /Watch your language/ }).waitFor();
    expect(await mo.page.getByRole('link', { name: /Audit|Statistics/ }).count()).toBe(0);
    expect(await button(mo, 'New rule').count()).toBe(0);
    await button(mo, 'Stop all rules').click();
    await confirm(mo, 'Stop all rules');
    await mo.page.getByText('All rules are stopped').waitFor();
    expect(await daemon.admin.call(ruleRoutes.getSwitch, { params: params() })).toMatchObject({ stopped: true });
    await viewer.page.goto(at('rules'));
    await viewer.page.getByText('All rules are stopped').waitFor();
    await viewer.page.getByRole('row', { name: /Watch your language/ }).click();
    await viewer.page.getByText('"idiot"').waitFor();
    expect(await viewer.page.getByRole('button', { name: /save|enforce|delete|try|take back/i }).count()).toBe(0);
    await expectFine(viewer);
    await viewer.page.goto(at('audit'));
    await viewer.page.getByText('There is nothing at this address').waitFor();
  });

  it('shows the daemon to administrators of the installation alone, and makes a backup', async () => {
    expect(await admin.page.getByRole('link', { name: 'Daemon' }).count(), 'of a project is not enough').toBe(0);
    const owner = await Visitor.come(null, wide);
    try {
      await signIn(owner, daemon, administrator.email, '', administrator.password);
      const { page } = owner;
      await page.getByText('Deliveries').locator('..').locator('svg rect').first().waitFor({ state: 'attached' });
      await page.goto(at('settings'));
      await page.getByRole('link', { name: 'Daemon' }).click();
      await page.getByText('earshot installation show').waitFor();
      await button(owner, 'Back up now').click();
      await page.getByText(/earshot-\S+\.db is made and verified/).waitFor();
      await page.getByRole('row', { name: /earshot-\S+\.db .* when made/ }).waitFor();
      await page.getByLabel('Setting', { exact: true }).fill('admin_pass');
      await page.getByRole('row', { name: /EARSHOT_ADMIN_PASSWORD \*\*\*/ }).waitFor();
      await expectFine(owner);
      await picture(owner, 'console-daemon');
      expect(owner.complaints).toEqual([]);
    } finally {
      await owner.go();
    }
  });

  it('lists the daemons of one database where there are several', async () => {
    const owner = await Visitor.come(null, wide);
    try {
      await signIn(owner, daemon, administrator.email, '', administrator.password);
      const { page } = owner;
      await page.route('**/api/installation', async (route) => {
        const answer = await route.fetch();
        const installation = await answer.json();
        const [own] = installation.nodes;
        const other = { ...own, id: 'other', host: 'voice-2', roles: ['rooms'], answering: false };
        await route.fulfill({ response: answer, json: { ...installation, nodes: [own, other] } });
      });
      await page.goto(at('daemon'));
      await page.getByRole('row', { name: /\(answers\)/ }).waitFor();
      await page.getByRole('row', { name: /voice-2 .* rooms/ }).waitFor();
      await expectFine(owner);
      expect(owner.complaints).toEqual([]);
    } finally {
      await owner.go();
    }
  });

  it('saves everything known about a person, and finds a room and a session by Ctrl-K', async () => {
    const { page } = admin;
    await page.goto(`${daemon.url}/console/projects/${daemon.projectId}/people/u_ben`);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export', exact: true }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('person.ndjson');
    const saved = readFileSync((await download.path()) ?? '', 'utf8');
    expect(
      saved
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)).length,
    ).toBeGreaterThan(1);
    for (const known of ['Ben Stone', 'You play like an idiot.', 'Insults']) expect(saved).toContain(known);
    const find = async (text: string, option: string | RegExp) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Search' }).fill(text);
      await page.getByRole('option', { name: option }).click();
    };
    const visitor = await Visitor.come(null);
    await enterRoom(visitor, daemon, 'u_ana', 'Ana Reyes');
    await find('court', /^court/);
    await page.waitForURL(/rooms\/court$/);
    await visitor.go();
    await find('court', /Evening match/);
    await page.waitForURL(/transcripts\/[\w-]+$/);
  });

  it('shows who did what, and what moderation did', async () => {
    const { page } = admin;
    await page.goto(`${at('audit')}?actor=moderator@example.com`);
    await page.getByRole('row', { name: /setRuleSwitch/ }).click();
    await page.getByRole('dialog').getByText('moderator@example.com').waitFor();
    await page.keyboard.press('Escape');
    await expectFine(admin);
    await page.goto(at('statistics'));
    await page.getByRole('table', { name: 'By day (UTC)' }).waitFor({ state: 'attached' });
    await page.locator('.recharts-surface').first().waitFor();
    await page.getByRole('cell', { name: 'admin@localhost' }).waitFor();
    await expectFine(admin);
    await picture(admin, 'console-statistics');
    await page.getByLabel('Period').selectOption('90');
    await page.getByText('earshot stats moderation --since 90d').waitFor();
    await page.getByText('Below each figure stands that of').waitFor();
    const [file] = await Promise.all([page.waitForEvent('download'), button(admin, 'Save as CSV').click()]);
    const lines = readFileSync(await file.path(), 'utf8').split('\r\n');
    expect(lines[0]).toBe('"day","Reports","Sanctions","Decisions"');
    expect(lines).toHaveLength(1 + 90 + 1);
    await page.emulateMedia({ media: 'print' });
    for (const hidden of ['navigation', 'button'] as const) expect(await page.getByRole(hidden).count()).toBe(0);
    await page.getByRole('cell', { name: 'admin@localhost' }).waitFor();
    await page.getByText('default.').waitFor();
    expect((await page.pdf()).subarray(0, 5).toString()).toBe('%PDF-');
    await page.emulateMedia({ media: null });
    expect([...admin.complaints, ...mo.complaints, ...viewer.complaints]).toEqual([]);
  });
});
