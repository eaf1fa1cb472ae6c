import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { projectRoutes, projectUserRoutes } from '../../src/contract/projects/projects.js';
import { chromiumPath, expectFine, Visitor } from '../support/browser.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';

describe.skipIf(chromiumPath === null)('GET /invitation in a browser', { timeout: 180_000 }, () => {
  let daemon: TestDaemon;
  let visitor: Visitor;
  const asked: string[] = [];
  const password = 'a password of length';
  beforeAll(async () => {
    daemon = await startDaemon();
    visitor = await Visitor.come(null, { viewport: { width: 700, height: 720 } });
    visitor.page.on('request', (request) => asked.push(request.url()));
  }, 120_000);
  afterAll(async () => {
    await visitor?.go();
    await daemon?.stop();
  });
  const params = () => ({ projectId: daemon.projectId });
  const invite = async (email: string, projectId = daemon.projectId) => {
    const body = { email, role: 'moderator' } as const;
    return daemon.admin.call(projectUserRoutes.invite, { params: { projectId }, body });
  };
  const open = async (link: string | null) => {
    await visitor.page.goto('about:blank'); // another fragment alone is no new page
    await visitor.page.goto(link ?? '');
  };
  const passwordField = () => visitor.page.getByLabel(/password/i);

  it('says who invites whom to what, as what, and until when, before it asks for a password', async () => {
    const { invitationUrl } = await invite('page@example.com');
    const { page } = visitor;
    await open(invitationUrl);
    await page.getByText(/admin@localhost.* invites you to the project default as moderator\./).waitFor();
    expect(await page.getByLabel('E-mail address').inputValue()).toBe('page@example.com');
    await page.getByText(/is valid until \d+ \w+ \d{4}/).waitFor();
    await expectFine(visitor);
  });

  it('takes a new password for a new account, opens the project, and keeps the token to itself', async () => {
    const { page } = visitor;
    const token = new URL(page.url()).hash.replace('#token=', '');
    expect(token).toHaveLength(43);
    expect(await passwordField().getAttribute('autocomplete')).toBe('new-password');
    await page.getByLabel('Your name').fill('Page');
    await passwordField().fill(password);
    await page.getByRole('button', { name: 'Accept' }).click();
    await page.getByText(`earshot login --url=${daemon.url} --email=page@example.com`).waitFor();
    expect(new URL(page.url()).hash).toBe('');
    const people = await daemon.admin.call(projectUserRoutes.list, { params: params() });
    expect(people.find(({ email }) => email === 'page@example.com')?.status).toBe('accepted');
    expect(visitor.complaints).toEqual([]);
    expect(asked.filter((url) => url.includes(token) || !url.startsWith(daemon.url))).toEqual([]);
    await expectFine(visitor);
  });

  it('quotes its command, and isolates the name of the project', async () => {
    const { page } = visitor;
    const { id } = await daemon.admin.call(projectRoutes.create, { body: { name: '\u202eredro' } });
    await open((await invite("o'hara@example.com", id)).invitationUrl);
    await page.locator('#invited bdi', { hasText: '\u202eredro' }).waitFor();
    await page.getByLabel('Your name').fill('\u2067Page');
    await passwordField().fill(password);
    await page.getByRole('button', { name: 'Accept' }).click();
    await page.getByText(String.raw`earshot login --url=${daemon.url} --email='o'\''hara@example.com'`).waitFor();
    await page.getByRole('link', { name: 'Open the console' }).click();
    await page.waitForURL(`${daemon.url}/console`);
    await page.getByLabel('E-mail').fill("o'hara@example.com");
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.keyboard.press('Enter');
    await page.getByText('Sanctions in force').waitFor();
  });

  it('speaks the language of the browser', async () => {
    const german = await Visitor.come(null, { locale: 'de-AT' });
    await german.page.goto((await invite('neu@example.com')).invitationUrl ?? '');
    await german.page.getByRole('heading', { name: 'Einladung' }).waitFor();
    await german.page.getByText(/lädt dich in das Projekt .* ein, als \w+\./).waitFor();
    expect(await german.page.evaluate<string>('document.documentElement.lang')).toBe('de');
    await expectFine(german);
    await german.go();
  });

  it('asks who has an account for its password alone', async () => {
    const { page } = visitor;
    const { id } = await daemon.admin.call(projectRoutes.create, { body: { name: 'Orbit' } });
    await open((await invite('page@example.com', id)).invitationUrl);
    await page.getByLabel('Password of your account here').waitFor();
    expect(await passwordField().getAttribute('autocomplete')).toBe('current-password');
    expect(await page.getByLabel('Your name').isVisible()).toBe(false);
    await passwordField().fill('not the password');
    await page.getByRole('button', { name: 'Accept' }).click();
    await page.getByText('E-mail or password is wrong.').waitFor();
    await passwordField().fill(password);
    await page.getByRole('button', { name: 'Accept' }).click();
    await page.getByText('The account page@example.com is ready.').waitFor();
  });

  it.each([
    ['used', '#token=used', 'The invitation is no longer valid. Ask for a new one.'],
    ['cut off', '', 'The link is incomplete.'],
  ])('says what is wrong with a link that is %s, and asks for nothing', async (_what, fragment, sentence) => {
    const { page } = visitor;
    await open(`${daemon.url}/invitation${fragment}`);
    await page.getByText(sentence).waitFor();
    expect(await passwordField().isVisible()).toBe(false);
  });

  it('shows names as text, and quotes an address for the shell', async () => {
    const { page } = visitor;
    const { id } = await daemon.admin.call(projectRoutes.create, { body: { name: '<img src=x onerror=alert(1)>' } });
    await open((await invite("o'neill$x@example.com", id)).invitationUrl);
    await page.getByText('<img src=x onerror=alert(1)>').waitFor();
    await passwordField().fill(password);
    await page.getByRole('button', { name: 'Accept' }).click();
    await page.getByText(String.raw`--email='o'\''neill$x@example.com'`).waitFor();
  });
});

describe('POST /api/auth/invitations/read', () => {
  let daemon: TestDaemon;
  beforeAll(async () => {
    daemon = await startDaemon();
  });
  afterAll(() => daemon.stop());
  const read = (token: string) => daemon.client.call(accountRoutes.readInvitation, { body: { token } });

  it('names a key that invites, and changes nothing', async () => {
    const params = { projectId: daemon.projectId };
    const body = { email: 'key@example.com', role: 'viewer' } as const;
    const { invitationUrl } = await daemon.client.call(projectUserRoutes.invite, { params, body });
    const token = new URL(invitationUrl ?? '').hash.replace('#token=', '');
    const said = { email: 'key@example.com', project: 'default', role: 'viewer', invitedBy: 'test', hasAccount: false };
    expect([await read(token), await read(token)]).toMatchObject([said, said]);
    await daemon.client.call(accountRoutes.acceptInvitation, { body: { token, password: 'a password of length' } });
    await expect(read(token)).rejects.toMatchObject({ code: 'invitation_token_invalid' });
  });
});
