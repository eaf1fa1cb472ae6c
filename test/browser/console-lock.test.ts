/** A locked console stays locked, whatever was under way when it was locked. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, type Visitor } from '../support/browser.js';
import { colleaguePassword, comeAs } from '../support/console.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';

describe.skipIf(chromiumPath === null)('the lock of the console', { timeout: 120_000 }, () => {
  let daemon: TestDaemon;
  let mo: Visitor;
  const locked = () => mo.page.getByRole('heading', { name: 'Locked' });
  const lock = async () => {
    await mo.page.getByRole('button', { name: 'Account' }).click();
    await mo.page.getByRole('menuitem', { name: 'Lock now' }).click();
    await locked().waitFor();
  };
  const unlock = async () => {
    await mo.page.getByLabel('Password', { exact: true }).fill(colleaguePassword);
    await mo.page.keyboard.press('Enter');
    await locked().waitFor({ state: 'detached' });
  };
  /** Has the console renew its token: the daemon does not know the one that it sends. */
  const refuseTokenOnce = () =>
    mo.page.route('**/api/projects/*/sanctions?*', (route) => route.fulfill({ status: 401, body: '{}' }), { times: 1 });

  beforeAll(async () => {
    daemon = await startDaemon();
    [mo] = await comeAs(daemon, 'moderator');
  }, 120_000);
  afterAll(async () => {
    await mo?.go();
    await daemon?.stop();
  });

  it('outlasts a renewal that the daemon has answered before it', async () => {
    const { page } = mo;
    await page.goto(`${daemon.url}/console/projects/${daemon.projectId}/overview`);
    await page.getByText('Live', { exact: true }).waitFor();
    let letAnswerPass = () => {};
    const isLocked = new Promise<void>((resolve) => {
      letAnswerPass = resolve;
    });
    await page.route(
      '**/api/auth/console/renew',
      async (route) => {
        const response = await route.fetch();
        await isLocked;
        await route.fulfill({ response });
      },
      { times: 1 },
    );
    await refuseTokenOnce();
    const asked = page.waitForRequest('**/api/auth/console/renew');
    await page.getByRole('link', { name: 'Sanctions', exact: true }).click();
    await asked;
    await page.waitForTimeout(1_000); // the daemon has answered
    await lock();
    const answered = page.waitForResponse('**/api/auth/console/renew');
    letAnswerPass();
    await answered;
    await page.waitForTimeout(1_000);
    expect(await locked().count()).toBe(1);
    await unlock();
    await page.reload();
    await page.getByRole('heading', { name: 'Sanctions' }).waitFor();
  });

  it('has nothing polled behind it, and what is shown read again after it', async () => {
    const { page } = mo;
    await page.goto(`${daemon.url}/console/projects/${daemon.projectId}/rooms`);
    await page.getByText('No room is open.').or(page.getByRole('table')).first().waitFor();
    await lock();
    await page.waitForTimeout(500);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.waitForTimeout(4_500); // rooms are read every two seconds
    const polled = asked.filter((path) => path.endsWith('/rooms'));
    expect(polled).toEqual([]);
    const again = page.waitForResponse((answer) => answer.url().endsWith('/rooms') && answer.ok());
    await unlock();
    await again;
  });

  it('outlasts the way back onto the network', async () => {
    const { page } = mo;
    const session = /\/api\/auth\/(console\/renew|logout)$/;
    await page.goto(`${daemon.url}/console/projects/${daemon.projectId}/overview`);
    await page.getByText('Live', { exact: true }).waitFor();
    await page.route(session, (route) => route.abort());
    await refuseTokenOnce();
    const failed = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/renew'));
    await page.getByRole('link', { name: 'Sanctions', exact: true }).click();
    await failed;
    await lock();
    await page.unroute(session);
    await page.waitForTimeout(11_000); // a renewal that failed comes again after ten seconds
    expect(await locked().count()).toBe(1);
    await unlock();
    expect(mo.complaints).toEqual([]);
  });
});
