/** Developers' screen of the console: keys, webhooks, the event log, and how people and rooms are signed in to. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiKeyRoutes } from '../../src/contract/identity/api-keys.js';
import { webhookRoutes } from '../../src/contract/webhooks/webhooks.js';
import { chromiumPath, expectFine, picture, Visitor } from '../support/browser.js';
import { button, comeAs, inDialog, settle, signIn, wide } from '../support/console.js';
import { administrator, startDaemon, type TestDaemon } from '../support/daemon.js';
import { type Receiver, startReceiver } from '../support/receiver.js';

describe.skipIf(chromiumPath === null)('developers', { timeout: 180_000 }, () => {
  let daemon: TestDaemon;
  let receiver: Receiver;
  let scene: Awaited<ReturnType<typeof settle>>;
  let admin: Visitor;
  let viewer: Visitor;
  const params = () => ({ projectId: daemon.projectId });
  const at = (tab: string) => `${daemon.url}/console/projects/${daemon.projectId}/developers/${tab}`;

  beforeAll(async () => {
    daemon = await startDaemon({ settings: { EARSHOT_OUTBOUND_ALLOW: '127.0.0.0/8' } });
    receiver = await startReceiver();
    scene = await settle(daemon, { name: 'Eve Marsh', text: 'Leave me alone.' });
    [admin, viewer] = await comeAs(daemon, 'admin', 'viewer');
  }, 180_000);
  afterAll(async () => {
    await Promise.all([admin?.go(), viewer?.go()]);
    await receiver?.stop();
    await daemon?.stop();
  });

  it('makes a key whose secret is shown once, and revokes it', async () => {
    const { page } = admin;
    await page.goto(at('keys'));
    await button(admin, 'New key').click();
    await inDialog(admin, 'Create').click();
    await page.getByText('is required').first().waitFor();
    await expectFine(admin);
    await page.getByLabel('Made for').selectOption('server');
    expect(await page.getByLabel(/^sanctions:read: sanctions \(read only\)/).isChecked()).toBe(true);
    await page.getByText("earshot api-keys create --name 'Game server' --scopes tokens --scopes gameplay").waitFor();
    await page.getByLabel('Made for').selectOption('own');
    await page.getByRole('dialog').getByLabel('Name').fill('match server');
    await page.getByLabel(/^gameplay: /).check();
    await page.getByText(/earshot api-keys create --name 'match server' --scopes gameplay/).waitFor();
    await inDialog(admin, 'Create').click();
    await page.getByText('This is the only time').waitFor();
    await page.keyboard.press('Escape');
    const find = async (text: string, option: string | RegExp) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Search' }).fill(text);
      await page.getByRole('option', { name: option }).click();
    };
    await page.goto(`${daemon.url}/console/projects/${daemon.projectId}/overview`);
    await page.getByText('Sanctions in force').waitFor();
    await find('match', /^match server/);
    await page.waitForURL(/developers\/keys\?search=match(\+|%20)server$/);
    // Made elsewhere, under words that were searched a moment ago.
    const body = { name: 'match maker', scopes: ['gameplay' as const], projectId: daemon.projectId };
    const { id } = await daemon.admin.call(apiKeyRoutes.create, { body });
    await find('match', /^match maker/);
    await page.getByRole('row', { name: /match maker/ }).waitFor();
    await daemon.admin.call(apiKeyRoutes.revoke, { params: { id } });
    await find('new api key', /^New API key/);
    await page.getByRole('dialog', { name: 'New key' }).waitFor();
    await page.keyboard.press('Escape');
    await page.goto(at('keys'));
    await page.mouse.move(0, 0);
    await page
      .getByRole('row', { name: /match server/ })
      .getByRole('button', { name: 'Revoke', exact: true })
      .click();
    await inDialog(admin, 'Revoke').click();
    const names = async () => (await daemon.admin.call(apiKeyRoutes.list, {})).map(({ name }) => name);
    await expect.poll(names).not.toContain('match server');
    await expectFine(admin);
    await viewer.page.goto(at('keys'));
    await viewer.page.getByText('There is nothing at this address').waitFor();
  });

  it('makes a webhook, tests it, resends, rotates its key and counts what arrived', async () => {
    const { page } = admin;
    await page.goto(at('webhooks'));
    await button(admin, 'New webhook').click();
    const address = page.getByRole('dialog').getByLabel('Address');
    await address.fill('nonsense');
    await page.getByText('must be an address').waitFor();
    await expectFine(admin);
    await page.getByLabel('Authentication').selectOption('custom_headers');
    expect(await page.getByLabel('User name').count()).toBe(0);
    await button(admin, '+ Header').click();
    await page.getByLabel('Headers 1: name').fill('Host');
    await page.getByText('this header is set by the delivery itself').waitFor();
    await page.getByLabel('Headers 1: name').fill('x-shard');
    await page.getByLabel('Headers 1: value').fill('eu-1');
    await expectFine(admin);
    await address.fill(receiver.url);
    await inDialog(admin, 'Create').click();
    await page.getByText('It is not shown again').waitFor();
    await page.keyboard.press('Escape');
    await button(admin, 'Send a test').click();
    const row = page.getByRole('row', { name: /webhook\.test/ });
    await row.getByText('delivered').waitFor();
    await page.getByText('the attempt arrived').waitFor();
    await expectFine(admin);
    await row.click();
    await page.getByRole('dialog').getByText('"webhook.test"').first().waitFor();
    await expectFine(admin);
    await inDialog(admin, 'Send again').click();
    await page.getByRole('dialog').getByRole('row').nth(2).waitFor(); // a second attempt
    await page.keyboard.press('Escape');
    await page.getByLabel('Previous key also signs for').fill('2h');
    await page.getByText(/earshot webhooks rotate-secret .* --grace-seconds 2h/).waitFor();
    await button(admin, 'Rotate the key').click();
    await page.getByText('It is not shown again').waitFor();
    await page.keyboard.press('Escape');
    const grace = page.getByText(/The previous key also signs for 1h 59m/);
    await grace.waitFor();
    await picture(admin, 'console-webhook');
    await button(admin, 'Rotate the key').waitFor();
    await page.getByLabel('Previous key also signs for').fill('1m');
    await button(admin, 'Rotate the key').click();
    await page.getByText('It is not shown again').waitFor();
    await page.keyboard.press('Escape');
    const left = page.getByText(/The previous key also signs for \d+s/);
    const secondsLeft = async () => Number(/for (\d+)s/.exec((await left.textContent()) ?? '')?.[1]);
    const before = await secondsLeft();
    expect(before).toBeLessThanOrEqual(60);
    await expect.poll(secondsLeft, { timeout: 15_000 }).toBeLessThan(before);
    receiver.answer = 500;
    await button(admin, 'Send a test').click();
    await page.getByRole('row', { name: /webhook\.test pending 1/ }).waitFor();
    receiver.answer = 200;
    await page.getByText(/earshot webhooks replay .* --failed/).waitFor();
    await button(admin, 'Send again').click();
    await page.getByText('1 event is queued.').waitFor();
    await receiver.waitFor(4);
    await page.getByText('all 2 attempts arrived').waitFor();
    await expectFine(admin);
    expect(await daemon.admin.call(webhookRoutes.list, { params: params() })).toMatchObject([
      { url: receiver.url, previousSecretUntil: expect.any(String) },
    ]);
    await viewer.page.goto(page.url());
    await viewer.page.getByText('all 2 attempts arrived').waitFor();
    expect(await viewer.page.getByRole('button', { name: /test|rotate|delete|save|send again/i }).count()).toBe(0);
    await expectFine(viewer);
  });

  it('is led to from the overview by what is wrong: a daemon that is not ready, and deliveries that were given up', async () => {
    const owner = await Visitor.come(null, wide);
    const { page } = owner;
    const gone = await startReceiver();
    gone.answer = 410;
    const made = await daemon.admin.call(webhookRoutes.create, {
      params: params(),
      body: { url: `${gone.url}/gone`, secret: 'a secret of sixteen', events: ['*'] },
    });
    await daemon.admin.call(webhookRoutes.test, { params: { ...params(), id: made.id } });
    await page.route('**/health/ready', (route) =>
      route.fulfill({
        status: 503,
        json: { status: 'not ready', problems: [{ part: 'disk', problem: 'has 12 MiB left: free some space' }] },
      }),
    );
    try {
      await signIn(owner, daemon, administrator.email, '', administrator.password);
      const deliveries = page.getByRole('link', { name: /Deliveries .*given up in the last minute/ });
      await deliveries.waitFor();
      const health = page.getByRole('link', { name: 'Health Needs attention disk: has 12 MiB left: free some space' });
      await health.waitFor();
      await expectFine(owner);
      await deliveries.click();
      await page.waitForURL(/developers\/webhooks\?status=failed$/);
      await page.getByRole('row', { name: /gone/ }).waitFor();
      expect(await page.getByRole('row').count(), 'the head, and the one that fails').toBe(2);
      await expectFine(owner);
      await page.getByRole('row', { name: /gone/ }).click();
      await page.getByRole('row', { name: /webhook\.test failed/ }).waitFor();
      await page.goBack();
      await page.getByRole('link', { name: 'Overview' }).click();
      await health.click();
      await page.getByRole('heading', { name: 'Backups' }).waitFor();
      expect(page.url()).toBe(at('daemon').replace('developers', 'administration'));
      expect(owner.complaints).toEqual([]);
    } finally {
      await owner.go();
      await gone.stop();
    }
  });

  it('follows the event log by a filter in the address, with JSON and who got the event', async () => {
    const { page } = viewer;
    await page.goto(`${at('events')}?types=message.*`);
    await page.getByRole('row', { name: /Leave me alone/ }).waitFor();
    expect(await page.getByRole('row', { name: /sanction\.created/ }).count()).toBe(0);
    await scene.say('u_ana', 'one more line');
    await page.getByRole('row', { name: /one more line/ }).click();
    await page.getByRole('dialog').getByText('"message.created"').waitFor();
    await page.getByRole('dialog').getByText('delivered').first().waitFor();
    await expectFine(viewer);
    await picture(viewer, 'console-event');
    await page.keyboard.press('Escape');
    await page.getByLabel('Types, such as sanction.*').fill('');
    await page
      .getByRole('row', { name: /sanction\.created/ })
      .first()
      .waitFor();
    await expectFine(viewer);
  });

  it('says how people sign in, makes a room token, and leads to the API', async () => {
    const { page } = admin;
    await page.goto(at('providers'));
    await page.getByText('People sign in with e-mail and password').waitFor();
    await page.getByLabel(/^Room/).fill('court');
    await page.getByLabel('User id').fill('u_new');
    await page.getByText('earshot tokens create --room court --user u_new').waitFor();
    await button(admin, 'Create a token').click();
    await page.getByText(/rooms\/court#token=/).waitFor();
    await expectFine(admin);
    await viewer.page.goto(at('providers'));
    await viewer.page.getByText('embedded').waitFor();
    expect(await button(viewer, 'Create a token').count()).toBe(0);
    await page.goto(at('api'));
    await page.getByRole('link', { name: '/docs' }).waitFor();
    await expectFine(admin);
    expect([...admin.complaints, ...viewer.complaints]).toEqual([]);
  });
});
