import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectUserRoutes } from '../../src/contract/projects/projects.js';
import { chromiumPath, Visitor } from '../support/browser.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';

describe.skipIf(chromiumPath === null)('GET /invitation in a browser', { timeout: 180_000 }, () => {
  let daemon: TestDaemon;
  let visitor: Visitor;
  const asked: string[] = [];
  beforeAll(async () => {
    daemon = await startDaemon();
    visitor = await Visitor.come(null, { viewport: { width: 700, height: 560 } });
    visitor.page.on('request', (request) => asked.push(request.url()));
  }, 120_000);
  afterAll(async () => {
    await visitor?.go();
    await daemon?.stop();
  });

  it('takes a password, opens the project, and keeps the token to itself', async () => {
    const params = { projectId: daemon.projectId };
    const body = { email: 'page@example.com', role: 'moderator' } as const;
    const { invitationUrl } = await daemon.admin.call(projectUserRoutes.invite, { params, body });
    const { page } = visitor;
    await page.goto(invitationUrl ?? '');
    await page.getByLabel('Your name').fill('Page');
    await page.getByLabel('Password').fill('a password of length');
    await page.getByRole('button', { name: 'Accept' }).click();
    await page.getByText(`earshot login --url ${daemon.url} --email page@example.com`).waitFor();
    expect(new URL(page.url()).hash).toBe('');
    const people = await daemon.admin.call(projectUserRoutes.list, { params });
    expect(people.find(({ email }) => email === 'page@example.com')?.status).toBe('accepted');
    expect(visitor.complaints).toEqual([]);
    const token = new URL(invitationUrl ?? '').hash.replace('#token=', '');
    expect(asked.filter((url) => url.includes(token) || !url.startsWith(daemon.url))).toEqual([]);
  });

  it('says what is wrong with a link that was used', async () => {
    const { page } = visitor;
    await page.goto(`${daemon.url}/invitation#token=used`);
    await page.reload();
    await page.getByLabel('Password').fill('a password of length');
    await page.getByRole('button', { name: 'Accept' }).click();
    await page.getByText('The invitation is not valid any more. Ask for a new one.').waitFor();
  });
});
