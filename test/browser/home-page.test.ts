import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { version } from '../../daemon/platform/version.js';
import { chromiumPath, expectFine, Visitor } from '../support/browser.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

describe('GET /', () => {
  const ask = async (accept: string | null, method = 'GET') => {
    const response = await fetch(daemon.url, { method, headers: accept === null ? {} : { Accept: accept } });
    const { status, headers } = response;
    return { status, type: headers.get('content-type')?.split(';')[0], vary: headers.get('vary'), response };
  };

  it('is JSON for programs, the same as GET /api', async () => {
    for (const accept of [null, '*/*', 'application/json', 'text/plain']) {
      const { response, ...answer } = await ask(accept);
      expect(answer).toMatchObject({ status: 200, type: 'application/json', vary: expect.stringContaining('Accept') });
      expect(await response.json()).toEqual(await (await fetch(`${daemon.url}/api`)).json());
    }
  });

  it('is a page for browsers', async () => {
    const { response, ...answer } = await ask('text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8');
    expect(answer).toMatchObject({ status: 200, type: 'text/html', vary: expect.stringContaining('Accept') });
    expect(response.headers.get('content-security-policy')).toContain("script-src 'self'");
    expect(await response.text()).toContain('<h1>');
  });

  it('answers HEAD, and refuses changes', async () => {
    expect((await ask('text/html', 'HEAD')).status).toBe(200);
    expect(await ask('text/html', 'POST')).toMatchObject({ status: 405, type: 'application/json' });
  });
});

describe.skipIf(chromiumPath === null)('GET / in a browser', { timeout: 120_000 }, () => {
  it('says what answers, its version and health, and leads on', async () => {
    const visitor = await Visitor.come(null);
    const { page } = visitor;
    await page.goto(daemon.url);
    await page.getByText('Voice moderation and player progress').waitFor();
    await page.getByText(version, { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Ready' }).waitFor();
    await page.getByText(`earshot login --url ${daemon.url}`).waitFor();
    await expectFine(visitor);
    await page.getByRole('link', { name: 'Every operation' }).click();
    await page.waitForURL(`${daemon.url}/docs`);
    await page.goBack();
    await page.getByRole('link', { name: 'Open the console' }).click();
    await page.waitForURL(`${daemon.url}/console`);
    await page.getByLabel('E-mail').waitFor();
    expect(visitor.complaints).toEqual([]);
    await visitor.go();
  });
});
