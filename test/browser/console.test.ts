/** The console in a browser: signing in, each screen's task as moderator and viewer, by keyboard, on a phone, with hostile texts. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { consoleSessionRoutes } from '../../src/contract/identity/console-sessions.js';
import { reviewRoutes } from '../../src/contract/moderation/reviews.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { projectRoutes, projectUserRoutes } from '../../src/contract/projects/projects.js';
import { ruleRoutes } from '../../src/contract/rules/rules.js';
import { chromiumPath, expectFine, picture, Visitor } from '../support/browser.js';
import { colleague, enterRoom, hostile, settle, showCommands, signIn, tabTo, wide } from '../support/console.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { startIdentityProvider } from '../support/identity-provider.js';

const built = fileURLToPath(new URL('../../dist/web/', import.meta.url));

describe('GET /console', () => {
  let daemon: TestDaemon;
  beforeAll(async () => {
    daemon = await startDaemon();
  });
  afterAll(() => daemon.stop());

  it('is one page for every address, under a policy without inline scripts and styles', async () => {
    for (const path of ['/console', '/console/', '/console/projects/1/people/a%2Fb?kind=voice']) {
      const answer = await fetch(daemon.url + path);
      const policy = answer.headers.get('content-security-policy') ?? '';
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self';");
      expect(policy).not.toContain('unsafe');
      const [, nonce] = /'nonce-([^']+)'/.exec(policy) ?? [];
      expect(await answer.text()).toContain(`nonce="${nonce}"`);
    }
    const nonces = await Promise.all(
      [1, 2].map(async () => (await fetch(`${daemon.url}/console`)).headers.get('content-security-policy')),
    );
    expect(nonces[0]).not.toBe(nonces[1]);
    expect((await fetch(`${daemon.url}/console`, { method: 'POST' })).status).toBe(405);
  });

  it('sends files compressed as they were built, to be kept for good', async () => {
    const [script = ''] = readdirSync(join(built, 'assets')).filter((name) => /^first-[^w].*\.js$/.test(name));
    for (const [asked, sent, end] of [
      ['br, gzip', 'br', '.br'],
      ['gzip', 'gzip', '.gz'],
      ['identity', null, ''],
    ] as const) {
      const answer = await fetch(`${daemon.url}/assets/${script}`, {
        method: 'HEAD',
        headers: { 'Accept-Encoding': asked },
      });
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'cache-control': 'public, max-age=31536000, immutable',
        'content-type': 'text/javascript; charset=utf-8',
        'content-length': String(statSync(join(built, 'assets', script + end)).size),
        vary: expect.stringContaining('Accept-Encoding'),
      });
      expect(answer.headers.get('content-encoding')).toBe(sent);
    }
    expect((await fetch(`${daemon.url}/assets/none.js`)).status).toBe(404);
    expect((await fetch(`${daemon.url}/assets/..%2fconsole%2findex.html`)).status).toBeGreaterThanOrEqual(400);
  });
});

describe.skipIf(chromiumPath === null)('the console in a browser', { timeout: 180_000 }, () => {
  let daemon: TestDaemon;
  let scene: Awaited<ReturnType<typeof settle>>;
  let mo: Visitor;
  let viewer: Visitor;
  let ana: Visitor;
  let moderator = '';
  const base = () => `${daemon.url}/console/projects/${daemon.projectId}`;
  const params = () => ({ projectId: daemon.projectId });
  const activeOf = (externalUserId: string) =>
    daemon.admin.call(sanctionRoutes.activeOfUser, { params: { ...params(), externalUserId } });

  beforeAll(async () => {
    daemon = await startDaemon();
    scene = await settle(daemon);
    moderator = await colleague(daemon, 'moderator');
    [mo, viewer, ana] = await Promise.all([Visitor.come(null, wide), Visitor.come(null, wide), Visitor.come(null)]);
    await showCommands(mo);
    await signIn(viewer, daemon, await colleague(daemon, 'viewer'));
    await enterRoom(ana, daemon, 'u_ana', 'Ana Reyes');
  }, 180_000);
  afterAll(async () => {
    await Promise.all([mo?.go(), viewer?.go(), ana?.go()]);
    await daemon?.stop();
  });

  it('loads at most 290 KB in eight files before the first screen shows, and nothing of another host', async () => {
    const loaded: string[] = [];
    mo.page.on('request', (request) => loaded.push(request.url()));
    await mo.page.goto(`${daemon.url}/console`);
    await mo.page.getByLabel('E-mail').waitFor();
    await expectFine(mo);
    await mo.page.getByLabel('E-mail').fill(moderator);
    await mo.page.getByLabel('Password', { exact: true }).fill('not the password');
    await mo.page.keyboard.press('Enter');
    await mo.page.getByText('E-mail or password is wrong.').waitFor();
    await mo.page.getByLabel('Password', { exact: true }).fill('a long enough password');
    await mo.page.keyboard.press('Enter');
    await mo.page.getByText('Sanctions in force').waitFor();
    expect(loaded.filter((url) => !url.startsWith(daemon.url))).toEqual([]);
    // What happened last comes after the numbers, with the descriptions of all events.
    const later = loaded.findIndex((url) => /\/assets\/second-.*\.js$/.test(url));
    const first = later < 0 ? loaded : loaded.slice(0, later);
    const files = new Set(first.flatMap((url) => /\/assets\/([^?]+\.(?:js|css))$/.exec(url)?.[1] ?? []));
    const bytes = [...files].map((name) => statSync(join(built, 'assets', `${name}.gz`)).size);
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(290 * 1024);
    expect(files.size).toBeLessThanOrEqual(8);
  });

  it('keeps the token out of every store, and the session over a reload and in another tab', async () => {
    const { page } = mo;
    expect(await page.evaluate('JSON.stringify({...localStorage, ...sessionStorage}) + document.cookie')).not.toMatch(
      /eyJ|earshot_console=/,
    );
    await page.reload();
    await page.getByText('Sanctions in force').waitFor();
    const other = await page.context().newPage();
    await other.goto(`${base()}/sanctions`);
    await other.getByRole('table').waitFor();
    await other.close();
  });

  it('shows on the overview what waits, and events as they happen', async () => {
    const { page } = mo;
    await page.getByRole('link', { name: /Cases waiting 1/ }).waitFor();
    await scene.say('u_ana', 'heard on the overview');
    await page.getByText('heard on the overview').waitFor();
    await expectFine(mo);
  });

  it('passes events on to a second tab, each once, also when the tab that follows the stream closes', async () => {
    const first = await mo.page.context().newPage();
    await first.goto(`${base()}/rooms/court`);
    await first.getByText('heard on the overview').waitFor();
    const second = await mo.page.context().newPage();
    await second.goto(`${base()}/rooms/court`);
    await second.getByText('heard on the overview').waitFor();
    await scene.say('u_ana', 'one for both tabs');
    for (const tab of [first, second]) await tab.getByText('one for both tabs').waitFor();
    await mo.page.goto('about:blank');
    await first.close();
    await scene.say('u_ana', 'said after the first tab went');
    await second.getByText('said after the first tab went').waitFor();
    for (const text of ['one for both tabs', 'said after the first tab went'])
      expect(await second.getByText(text).count()).toBe(1);
    await second.close();
  });

  it('mutes, bans and writes a note in a room by keys alone', async () => {
    const { page } = mo;
    await page.goto(`${base()}/overview`);
    await page.getByText('Sanctions in force').waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('r');
    const card = page.getByRole('link', { name: 'court', exact: true });
    await card.waitFor();
    await expectFine(mo);
    await page.getByRole('listitem', { name: 'court' }).getByRole('link', { name: 'Ana Reyes' }).waitFor();
    await page.keyboard.press('j');
    await tabTo(page, card);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Ana Reyes' }).waitFor();
    await page.keyboard.press('j');
    await page.getByRole('button', { name: 'Ana Reyes', pressed: true }).waitFor();
    await page.getByText('earshot mute u_ana 10m').waitFor();
    await page.keyboard.press('m');
    await page
      .getByText(/^muted \d/)
      .first()
      .waitFor();
    expect(await activeOf('u_ana')).toMatchObject([{ type: 'mute', duration: 600 }]);
    await expectFine(mo);
    await page.keyboard.press('n');
    await page.getByRole('dialog').getByLabel('Note for moderators').fill(hostile);
    await page.getByRole('button', { name: 'Add the note' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('a');
    await page.getByLabel('Text for everybody in the room').fill('Five minutes to the end.');
    await page.getByRole('dialog').getByRole('button', { name: 'Announce' }).click();
    await ana.page.getByText('Announcement: Five minutes to the end.').first().waitFor();
    await page.goto(`${base()}/rooms`);
    await page.getByRole('button', { name: 'Announce to all rooms' }).click();
    await page.getByRole('dialog').getByRole('textbox').fill('The servers restart at nine.');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await ana.page.getByText('Announcement: The servers restart at nine.').first().waitFor();
    await page.goto(`${base()}/rooms/court`);
    await page.getByRole('button', { name: 'Ana Reyes' }).click();
    expect(await page.title()).toMatch(/^court.* · Earshot$/);
    const [listening] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('button', { name: 'Listen in', exact: true }).click(),
    ]);
    await listening.getByRole('button', { name: /listen/i }).click();
    await ana.page.getByText("listens for the game's team").first().waitFor();
    await listening.close();
    await page.keyboard.press('b');
    await page.getByRole('dialog').getByLabel('Duration').fill('soon');
    await page.getByText('Write a number and a unit').waitFor();
    await page.getByRole('dialog').getByLabel('Duration').fill('2h');
    await page.getByLabel('Reason', { exact: true }).fill('x'.repeat(501));
    await page.getByRole('button', { name: 'Issue a sanction' }).click();
    await page.getByRole('dialog').getByText(/500/).waitFor();
    await expectFine(mo);
    await page.getByLabel('Type', { exact: true }).selectOption('ranked_restriction');
    await page.getByLabel(/does not count in challenges/).check();
    await page.getByText(`--parameters '{"holdsProgress":true}'`).waitFor();
    await expectFine(mo);
    await page.getByLabel('Type', { exact: true }).selectOption('temp_ban');
    await page.getByLabel('Reason', { exact: true }).fill("it's enough");
    await page.getByText("--reason 'it'\\''s enough'").waitFor();
    await page.getByRole('button', { name: 'Issue a sanction' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect((await activeOf('u_ana')).map(({ type }) => type).sort()).toEqual(['mute', 'temp_ban']);
    await ana.page
      .getByText(/banned|removed/i)
      .first()
      .waitFor();
  });

  it("tells a person's whole story, and sanctions, revokes and writes a note by keyboard alone", async () => {
    const { page } = mo;
    await page.goto(`${base()}/overview`);
    await page.getByText('Sanctions in force').waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('p');
    const search = page.getByLabel('Name or id');
    await search.waitFor();
    await tabTo(page, search);
    await page.keyboard.type('ben');
    const row = page.getByRole('row', { name: /Ben Stone/ });
    await page.getByText('1 of 1').waitFor();
    await expectFine(mo);
    await tabTo(page, row);
    await page.keyboard.press('Enter');
    await page.getByText('wrote: You play like an idiot.').waitFor();
    await expectFine(mo);

    await tabTo(page, page.getByRole('button', { name: 'Issue a sanction' }));
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await tabTo(page, dialog.getByLabel('Duration'));
    await page.keyboard.press('Control+a');
    await page.keyboard.type('3h');
    await tabTo(page, dialog.getByLabel('Reason', { exact: true }));
    await page.keyboard.type('Shouts');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    expect(await activeOf('u_ben')).toContainEqual(
      expect.objectContaining({ type: 'mute', duration: 10_800, reason: 'Shouts' }),
    );

    const item = page.getByRole('listitem').filter({ hasText: 'Insults' });
    await tabTo(page, item.getByRole('button', { name: 'Revoke…' }));
    await page.keyboard.press('Enter');
    await tabTo(page, dialog.getByLabel('Why it is revoked'));
    await page.keyboard.type('a joke among friends');
    await tabTo(page, dialog.getByRole('button', { name: 'Revoke', exact: true }));
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    expect((await activeOf('u_ben')).map(({ reason }) => reason)).not.toContain('Insults');

    await tabTo(page, page.getByLabel('Note for moderators'));
    await page.keyboard.type('Apologised.');
    await tabTo(page, page.getByRole('button', { name: 'Add the note' }));
    await page.keyboard.press('Enter');
    await page.getByRole('listitem').filter({ hasText: 'Apologised.' }).first().waitFor();
  });

  it("leads from a person's timeline to what its lines are about, with local times and names of colleagues", async () => {
    const { page } = mo;
    await page.goto(`${base()}/people/u_eve?kind=sanction`);
    await page.getByRole('button', { name: 'Issue a sanction' }).click();
    await page.getByRole('dialog').getByLabel('Reason', { exact: true }).fill('On the timeline');
    await page.getByRole('dialog').getByRole('button', { name: 'Issue a sanction' }).click();
    const line = page.getByRole('link', { name: /^mute until .* by moderator@example\.com: On the timeline$/ });
    await line.waitFor();
    const title = await line.locator('time').getAttribute('title');
    expect(title).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/);
    expect(await line.textContent(), 'no time as programs write it').not.toMatch(/\d{4}-\d\d-\d\dT/);
    await expectFine(mo);
    await line.click();
    await page.waitForURL(/sanctions\/[\w-]+$/);
    await page.getByText('On the timeline').first().waitFor();
    await page.goto(`${base()}/people/u_ben?kind=voice`);
    await page.getByRole('link', { name: 'wrote: You play like an idiot.' }).click();
    await page.waitForURL(new RegExp(`transcripts/${scene.session.id}\\?message=`));
    await page.locator('[aria-current="true"]').filter({ hasText: 'You play like an idiot.' }).waitFor();
    await page.goto(`${base()}/people/u_ben?kind=review`);
    await page.getByRole('link', { name: /^appealed/ }).click();
    await page.waitForURL(new RegExp(`cases/${scene.appeal.id}$`));
    await page.getByRole('heading', { name: /Appeal/ }).waitFor();
  });

  it('kicks from a room by a key, and shows beside a line what a rule decided about it', async () => {
    const { page } = mo;
    const kit = await Visitor.come(null);
    await enterRoom(kit, daemon, 'u_kit', 'Kit Lane');
    await daemon.admin.call(ruleRoutes.create, {
      params: params(),
      body: {
        name: 'No turnips',
        definition: {
          ...{ format: 1, mode: 'enforce', when: { all: [{ words: { any: ['turnip'] } }] } },
          steps: [[{ sanction: { type: 'mute', duration: 600 } }]],
        },
      },
    });
    await page.goto(`${base()}/rooms/court`);
    await page.getByRole('button', { name: 'Kit Lane' }).waitFor();
    await scene.say('u_kit', 'you turnip');
    const line = page.getByRole('listitem').filter({ hasText: 'you turnip' });
    await line.getByRole('link', { name: 'No turnips: mute' }).waitFor();
    await expectFine(mo);
    await page.getByRole('button', { name: 'Kit Lane' }).click();
    await page.keyboard.press('x');
    await page.getByRole('button', { name: 'Kit Lane' }).waitFor({ state: 'detached' });
    await kit.page
      .getByText(/removed/i)
      .first()
      .waitFor();
    await kit.go();
    await line.getByRole('link', { name: 'No turnips: mute' }).click();
    await page.getByRole('heading', { name: 'No turnips' }).waitFor();
  });

  it('has lower and higher rows as the reader prefers, and moves nothing for who wants no motion', async () => {
    const { page } = viewer;
    await page.goto(`${base()}/sanctions`);
    const height = async () => (await page.getByRole('row').nth(1).boundingBox())?.height ?? 0;
    await page.getByRole('row').nth(1).waitFor();
    const low = await height();
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'Account…' }).click();
    await page.getByText('Comfortable').click();
    await expect.poll(height).toBeGreaterThan(low + 5);
    await page.reload();
    await page.getByRole('row').nth(1).waitFor();
    expect(await height(), 'kept over a reload').toBeGreaterThan(low + 5);
    const moving = () =>
      page.evaluate<number>(`[...document.querySelectorAll('*')].filter((it) => {
        const { transitionDuration, animationName } = getComputedStyle(it);
        return animationName !== 'none' || /[1-9]/.test(transitionDuration);
      }).length`);
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'Account…' }).click();
    await page.getByRole('dialog').waitFor();
    expect(await moving(), 'otherwise something moves').toBeGreaterThan(0);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    expect(await moving()).toBe(0);
    await page.getByText('Compact').click();
    await page.keyboard.press('Escape');
    await page.emulateMedia({ reducedMotion: null });
  });

  it('counts down by the clock of the daemon where that of the browser is an hour off, and says so', async () => {
    const late = await Visitor.come(null, wide);
    await late.page.addInitScript(`{
      const Right = Date;
      const offMs = 3_600_000;
      globalThis.Date = class extends Right {
        constructor(...parts) {
          super(...(parts.length === 0 ? [Right.now() + offMs] : parts));
        }
        static now() {
          return Right.now() + offMs;
        }
      };
    }`);
    await signIn(late, daemon, moderator, `/projects/${daemon.projectId}/people/u_ben`);
    const item = late.page.getByRole('listitem').filter({ hasText: 'Shouts' }).first();
    await item.getByText(/^2h 5\dm/).waitFor(); // of three hours
    const notice = late.page.getByText(/The clock of this machine and that of the daemon differ by (\d+) s/);
    expect(Number(/differ by (\d+) s/.exec((await notice.textContent()) ?? '')?.[1])).toBeCloseTo(3_600, -1);
    await expectFine(late);
    await late.go();
  });

  it('filters sanctions by an address that a colleague can open, and issues one', async () => {
    const { page } = mo;
    await page.goto(`${base()}/sanctions`);
    await page.getByLabel('Type').selectOption('warn');
    await page.getByText('1 of 1').waitFor();
    await expectFine(mo);
    expect(new URL(page.url()).search).toBe('?type=warn');
    await viewer.page.goto(page.url());
    await viewer.page.getByText('1 of 1').waitFor();
    await page.getByRole('button', { name: 'Issue a sanction' }).click();
    await page.getByLabel(/external user id/).fill('u_new');
    await expectFine(mo);
    await page.getByRole('dialog').getByRole('button', { name: 'Issue a sanction' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await activeOf('u_new')).toMatchObject([{ type: 'mute', duration: 600 }]);
    // Under the pointer rows keep their places: new ones wait behind a button.
    await page.goto(`${base()}/sanctions`);
    const first = page.getByRole('row').nth(1);
    await first.hover();
    const body = { type: 'warn', externalUserId: 'u_later', reason: 'Later' } as const;
    await daemon.admin.call(sanctionRoutes.create, { params: params(), body });
    await page.getByRole('button', { name: '1 new row: show' }).waitFor();
    expect(await first.textContent()).toContain('u_new');
    await page.getByRole('button', { name: '1 new row: show' }).click();
    await page.getByRole('row', { name: /u_later/ }).waitFor();
    expect(await page.locator('td time').first().getAttribute('title')).toMatch(/^\d{4}-\d\d-\d\d .* UTC$/);

    await page.goto(`${base()}/people/u_later`);
    await page.getByRole('button', { name: 'Revoke…' }).click();
    await page.getByRole('dialog').getByLabel('Until revoked').uncheck();
    await page.getByRole('dialog').getByLabel('Change the end').fill('1h');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await expect.poll(async () => (await activeOf('u_later'))[0]?.endAt ?? null).not.toBeNull();
    await page.keyboard.press('Escape');
    await page.getByText(/^59m/).waitFor();
    expect(await page.getByRole('button', { name: 'Erase', exact: true }).count()).toBe(0); // for administrators
    const administrator = await Visitor.come(null, wide);
    await signIn(administrator, daemon, await colleague(daemon, 'admin'));
    const own = administrator.page;
    await own.goto(page.url());
    await own.getByRole('button', { name: 'Erase', exact: true }).click();
    const erase = own.getByRole('dialog').getByRole('button', { name: 'Erase', exact: true });
    expect(await erase.isDisabled()).toBe(true);
    await own.getByRole('dialog').getByRole('textbox').fill('u_later');
    await erase.click();
    await own.waitForURL(/people$/);
    await administrator.go();
    expect(await activeOf('u_later')).toEqual([]);
  });

  it('decides a case by one key, and has it follow until then', async () => {
    const { page } = mo;
    await page.goto(`${base()}/cases`);
    await page.getByRole('table').waitFor();
    await expectFine(mo);
    await page.getByRole('row', { name: /u_ben/ }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Claim l' }).waitFor();
    await page.getByRole('listitem').filter({ hasText: 'Appeal' }).getByRole('link').click();
    await page.getByRole('heading', { name: /Appeal/ }).waitFor();
    await page.keyboard.press('l');
    await page.getByRole('button', { name: 'Give back' }).waitFor();
    await expectFine(mo);
    await page.getByRole('link', { name: 'People' }).click();
    await page.getByText(/You have claimed the appeal of Ben Stone/).waitFor();
    await page.getByRole('link', { name: 'To the case' }).click();
    const id = scene.appeal.id;
    await page.getByRole('button', { name: /^Keep the \w+ u$/ }).waitFor();
    await page.keyboard.press('o');
    await page.getByText('Send an answer that tells the person why').waitFor();
    await page.getByLabel('Answer, for the person').fill('It was a joke between friends.');
    await page.getByRole('heading', { name: /Appeal/ }).click(); // keys are keys again outside of the field
    await page.keyboard.press('f'); // asks, because it counts against the person
    await page.getByText('The appeal is manifestly unfounded').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Keep it: manifestly unfounded' }).click();
    const reopen = page.getByRole('button', { name: 'Reopen', exact: true });
    await reopen.waitFor();
    const decided = await daemon.admin.call(reviewRoutes.get, { params: { ...params(), id } });
    expect(decided).toMatchObject({ decision: 'upheld', unfounded: true });
    await reopen.click();
    await page.getByRole('button', { name: /^Keep the \w+ u$/ }).waitFor();
    await page.keyboard.press('o');
    await page.keyboard.press('Enter');
    await page.getByText('overturned').waitFor();
    expect(await daemon.admin.call(reviewRoutes.get, { params: { ...params(), id } })).toMatchObject({
      decision: 'overturned',
      answer: 'It was a joke between friends.',
    });
    await page.keyboard.press('n');
    await page.getByRole('heading', { name: /^Review/ }).waitFor();
  });

  it('finds anything by Ctrl-K, and lists its keys by ?', async () => {
    const { page } = mo;
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).fill('ben');
    await page.getByRole('option', { name: /Ben Stone/ }).waitFor();
    await expectFine(mo);
    await page.getByRole('option', { name: /Ben Stone/ }).click();
    await page.waitForURL(/people\/u_ben$/);
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByText('Go to Cases').waitFor();
    await expectFine(mo);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).fill('sanction.cre');
    await page.getByRole('option', { name: 'sanction.created' }).click();
    await page.waitForURL(/developers\/events\?types=sanction\.created$/);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).fill('impose many');
    await page.getByRole('option', { name: 'Impose many sanctions' }).click();
    await page.getByRole('dialog', { name: 'Batches' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).fill('sanc');
    await page.keyboard.press('Enter');
    await page.waitForURL(/sanctions$/);
  });

  it('shows a viewer no action', async () => {
    const { page } = viewer;
    for (const [path, text] of [
      ['overview', 'Sanctions in force'],
      ['rooms/court', 'You play like an idiot.'],
      ['people/u_ben', 'wrote: You play like an idiot.'],
      ['sanctions', 'Created'],
      ['cases/of-reports', 'Cases of reports are shown to moderators.'],
      [`cases/${scene.appeal.id}`, 'The sanction'],
    ] as const) {
      await page.goto(`${base()}/${path}`);
      await page.getByText(text).first().waitFor();
      const actions = page.getByRole('button', {
        name: /issue|mute|ban|kick|revoke|note|erase|export|claim|uphold|overturn|announce|bot|listen|close the/i,
      });
      expect(await actions.count()).toBe(0);
      await expectFine(viewer);
    }
    await page.goto(`${base()}/sanctions?issue=yes`);
    await page.getByRole('table').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('takes away what a role no longer allows, and says so', async () => {
    const { page } = mo;
    await page.goto(`${base()}/people/u_ben`);
    await page.getByRole('button', { name: 'Issue a sanction' }).waitFor();
    const people = await daemon.admin.call(projectUserRoutes.list, { params: params() });
    const permissionId = people.find(({ email }) => email === moderator)?.permissionId ?? '';
    await daemon.admin.call(projectUserRoutes.changeRole, { params: params(), body: { permissionId, role: 'viewer' } });
    // The page may have heard of it already, and show the button no more.
    const issue = async () => {
      await page.getByRole('button', { name: 'Issue a sanction' }).click({ timeout: 5_000 });
      await page.getByRole('dialog').getByRole('button', { name: 'Issue a sanction' }).click({ timeout: 5_000 });
    };
    await issue().catch(() => {});
    await page.getByText('Your role in this project has changed.').waitFor();
    await page.goto(`${base()}/people/u_ben`);
    await page.getByRole('heading', { name: 'Ben Stone' }).or(page.getByText('Ben Stone')).first().waitFor();
    expect(await page.getByRole('button', { name: 'Issue a sanction' }).count()).toBe(0);
    await daemon.admin.call(projectUserRoutes.changeRole, {
      params: params(),
      body: { permissionId, role: 'moderator' },
    });
  });

  it('asks to sign in again when the session is ended elsewhere, and keeps what was typed', async () => {
    const { page } = mo;
    await page.goto(`${base()}/people/u_ben`);
    await page.getByLabel('Note for moderators').fill('half a sentence');
    const login = await page.context().newPage();
    await login.goto(`${base()}/overview`);
    await login.getByRole('button', { name: 'Account' }).click();
    await login.getByRole('menuitem', { name: 'Lock now' }).click();
    await page.getByRole('heading', { name: 'Locked' }).waitFor();
    await login.close();
    await expectFine(mo);
    await page.getByLabel('Password', { exact: true }).fill('a long enough password');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.getByLabel('Note for moderators').inputValue()).toBe('half a sentence');
    await page.getByRole('button', { name: 'Add the note' }).click();
    await page.getByRole('listitem').filter({ hasText: 'half a sentence' }).first().waitFor();
  });

  it('locks itself after the time that was set, and goes on with what was typed', async () => {
    const { page } = mo;
    await page.goto(`${base()}/people/u_ben`);
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'Account…' }).click();
    await page.getByLabel('Lock after').selectOption('5 minutes');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByLabel('Note for moderators').fill('typed before the break');
    const idleFor = (minutes: number) =>
      page.evaluate(`localStorage.setItem('earshot-console-touched', String(Date.now() - ${minutes} * 60_000))`);
    await idleFor(4);
    await page.waitForTimeout(6_000); // the time is looked at every five seconds
    expect(await page.getByRole('heading', { name: 'Locked' }).count()).toBe(0);
    await idleFor(5.1);
    await page.getByRole('heading', { name: 'Locked' }).waitFor();
    await page.getByLabel('Password', { exact: true }).fill('a long enough password');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.getByLabel('Note for moderators').inputValue()).toBe('typed before the break');
  });

  it('is German where the browser is told so', async () => {
    const { page } = viewer;
    await page.goto(`${base()}/overview`);
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'Account…' }).click();
    await page.getByText('Deutsch').click();
    await page.getByRole('heading', { name: 'Überblick' }).waitFor();
    expect(await page.evaluate('document.documentElement.lang')).toBe('de');
    await page.getByRole('dialog').getByText('Dichte').waitFor();
    await expectFine(viewer);
  });

  it('has run nothing of what people wrote, and has no complaint of its policy', async () => {
    for (const visitor of [mo, viewer]) {
      await visitor.page.goto(`${base()}/people/u_eve`);
      await visitor.page.getByText('window.hacked').first().waitFor();
      expect(await visitor.page.evaluate('window.hacked')).toBeUndefined();
      expect(visitor.complaints).toEqual([]);
    }
  });

  it('opens by a one-time code, which leaves the address', async () => {
    const guest = await Visitor.come(null, wide);
    const { code } = await daemon.admin.call(consoleSessionRoutes.createCode, {});
    await guest.page.goto(`${base()}/cases#code=${code}`);
    await guest.page.getByRole('heading', { name: 'Cases' }).waitFor();
    expect(guest.page.url()).toBe(`${base()}/cases`);
    await guest.page.getByRole('button', { name: 'Account' }).click();
    await guest.page.getByRole('menuitem', { name: 'Sign out' }).click();
    await guest.page.getByLabel('E-mail').waitFor();
    await guest.page.goto('about:blank'); // another fragment alone is no new page
    await guest.page.goto(`${daemon.url}/console#code=${code}`);
    await guest.page.getByText('The code was used already').waitFor();
    // Another page's code asks first: it would sign the reader in as somebody else.
    const { code: foreign } = await daemon.admin.call(consoleSessionRoutes.createCode, {});
    const elsewhere = daemon.url.replace('127.0.0.1', 'localhost');
    await guest.page.goto(`${elsewhere}/docs`);
    await guest.page.evaluate(`location.assign(${JSON.stringify(`${base()}/cases#code=${foreign}`)})`);
    await guest.page.getByRole('heading', { name: 'Sign in by a link?' }).waitFor();
    expect(guest.page.url()).toBe(`${base()}/cases`);
    await expectFine(guest);
    await guest.page.getByRole('button', { name: 'Do not use it' }).click();
    await guest.page.getByLabel('E-mail').waitFor();
    // Nor does the question let anybody go on where the console would be locked.
    const { code: own } = await daemon.admin.call(consoleSessionRoutes.createCode, {});
    await guest.page.goto('about:blank');
    await guest.page.goto(`${base()}/cases#code=${own}`);
    await guest.page.getByRole('heading', { name: 'Cases' }).waitFor();
    await guest.page.evaluate("localStorage.setItem('earshot-console-touched', '1')");
    await guest.page.goto(`${elsewhere}/docs`);
    await guest.page.evaluate(`location.assign(${JSON.stringify(`${base()}/cases#code=${foreign}`)})`);
    await guest.page.getByRole('button', { name: 'Do not use it' }).click();
    await guest.page.getByLabel('E-mail').waitFor();
    await guest.go();
  });

  it('stays locked though the daemon was away when it was locked', async () => {
    const { page } = mo;
    await page.goto(`${base()}/overview`);
    await page.getByText('Live', { exact: true }).waitFor();
    await page.route('**/api/auth/logout', (route) => route.abort());
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'Lock now' }).click();
    await page.getByRole('heading', { name: 'Locked' }).waitFor();
    await page.unroute('**/api/auth/logout');
    await page.reload();
    await page.getByLabel('E-mail').waitFor();
    await signIn(mo, daemon, moderator);
  });

  it('says that the daemon is away, keeps what was typed, and is live again by itself', async () => {
    const { page } = mo;
    await page.goto(`${base()}/people/u_ben`);
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByLabel('Note for moderators').fill('written while the daemon was away');
    await page.route('**/api/**', (route) => route.abort());
    await page.context().setOffline(true);
    await page.context().setOffline(false); // the stream is opened anew
    await page.getByText('Live updates have stopped and start again by themselves.').waitFor();
    await page.getByRole('button', { name: 'Add the note' }).click();
    await page
      .getByRole('alert')
      .getByText(/daemon/i)
      .first()
      .waitFor();
    expect(await page.getByLabel('Note for moderators').inputValue()).toBe('written while the daemon was away');
    await scene.say('u_ben', 'said while the line was cut');
    await page.unroute('**/api/**');
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByText('wrote: said while the line was cut').waitFor({ timeout: 30_000 });
    await page.getByRole('button', { name: 'Add the note' }).click();
    await page.getByRole('listitem').filter({ hasText: 'written while the daemon was away' }).first().waitFor();
  });
});

describe.skipIf(chromiumPath === null)(
  'signing in to the console at an identity provider',
  { timeout: 120_000 },
  () => {
    it('goes there by code with PKCE, and comes back to the page', async () => {
      const provider = await startIdentityProvider();
      provider.know('ann', { email: 'ann@example.com', email_verified: true, name: 'Ann' });
      const daemon = await startDaemon({ settings: { ...provider.settings, EARSHOT_IDENTITY_AUTO_CREATE: '1' } });
      const ann = await Visitor.come(null, wide);
      const asked: URL[] = [];
      ann.page.on('request', (request) => {
        if (request.url().startsWith(`${provider.url}/auth?`)) asked.push(new URL(request.url()));
      });
      const { id } = await daemon.admin.call(projectRoutes.create, { body: { name: 'Orbit' } });
      await daemon.admin.call(projectUserRoutes.invite, {
        params: { projectId: id },
        body: { email: 'ann@example.com', role: 'viewer' },
      });
      await ann.page.goto(`${daemon.url}/console/projects/${id}/sanctions?type=warn`);
      await ann.page.getByRole('button', { name: /Sign in at/ }).click();
      await ann.page.waitForURL(`${provider.url}/**`);
      const query = asked[0]?.searchParams;
      expect(query?.get('code_challenge_method')).toBe('S256');
      expect(query?.get('redirect_uri')).toBe(`${daemon.url}/console/signed-in`);
      expect(query?.get('nonce')).toMatch(/^earshot\.[\w-]{43}$/);
      await ann.page.locator('[name=login]').fill('ann');
      await ann.page.locator('[name=password]').fill('password');
      await ann.page.locator('button[type=submit]').click();
      await ann.page.locator('button[type=submit]').click(); // consents
      await ann.page.getByRole('heading', { name: 'Sanctions' }).waitFor();
      expect(ann.page.url()).toBe(`${daemon.url}/console/projects/${id}/sanctions?type=warn`);
      // An answer that was not asked for signs nobody in.
      const other = await Visitor.come(null, wide);
      await other.page.goto(`${daemon.url}/console/signed-in?code=stolen&state=made-up`);
      await other.page.getByText('does not belong to this sign-in').waitFor();
      expect([ann.complaints, other.complaints]).toEqual([[], []]);
      await Promise.all([ann.go(), other.go()]);
      await daemon.stop();
      await provider.stop();
    });
  },
);

// For the documentation, by `npm run screenshots`.
if (chromiumPath !== null && process.env.EARSHOT_SCREENSHOTS === '1')
  describe('pictures of the console', () => {
    it('are taken of an evening', { timeout: 180_000 }, async () => {
      const daemon = await startDaemon();
      const said = { name: 'Eve Marsh', text: 'It was a joke. We play together every day.' };
      const { appeal, say } = await settle(daemon, said);
      const [mo, ana, eve] = await Promise.all([Visitor.come(null, wide), Visitor.come(null), Visitor.come(null)]);
      await signIn(mo, daemon, await colleague(daemon, 'moderator'));
      await enterRoom(ana, daemon, 'u_ana', 'Ana Reyes');
      await enterRoom(eve, daemon, 'u_eve', said.name);
      await say('u_ana', 'Good game everyone!');
      await mo.page.getByText('Good game everyone!').waitFor();
      await picture(mo, 'console-overview');
      const base = `${daemon.url}/console/projects/${daemon.projectId}`;
      for (const [name, path, text, key] of [
        ['room', 'rooms/court', 'Good game everyone!', 'j'],
        ['person', 'people/u_ben', 'wrote: You play like an idiot.', null],
        ['case', `cases/${appeal.id}`, 'You play like an idiot.', 'l'],
      ] as const) {
        await mo.page.goto(`${base}/${path}`);
        await mo.page.getByText(text).first().waitFor();
        if (key !== null) await mo.page.keyboard.press(key);
        if (name === 'case') await mo.page.getByRole('button', { name: 'Give back' }).waitFor();
        await picture(mo, `console-${name}`);
      }
      await Promise.all([mo.go(), ana.go(), eve.go()]);
      await daemon.stop();
    });
  });

it('is checked as it is shipped', () => {
  const page = readFileSync(join(built, 'console/index.html'), 'utf8');
  expect(page).not.toMatch(/<script(?![^>]*src=)|<style/);
});
