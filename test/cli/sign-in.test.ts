/** `earshot login` at an identity provider: the built command on a terminal, a browser that follows redirects. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { commandLine } from '../support/cli.js';
import { administrator, startDaemon, type TestDaemon } from '../support/daemon.js';
import { eventually } from '../support/eventually.js';
import { type ForeignProvider, startIdentityProvider } from '../support/identity-provider.js';
import { browse } from '../support/stand-in-browser.mjs';
import { hasTerminal, onTerminal, type Terminal } from '../support/terminal.js';

const program = createRequire(import.meta.url).resolve('../../bin/earshot.js');
const standIn = fileURLToPath(new URL('../support/stand-in-browser.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'earshot-sign-in-'));
const browser = join(folder, 'browser');
const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'));
const ctrlC = '\u0003';

let provider: ForeignProvider;
let daemon: TestDaemon;
beforeAll(async () => {
  writeFileSync(browser, `#!/bin/sh\nexec '${process.execPath}' '${standIn}' "$1"\n`);
  chmodSync(browser, 0o755);
  provider = await startIdentityProvider();
  daemon = await startDaemon({ settings: { ...provider.settings, EARSHOT_IDENTITY_AUTO_CREATE: '1' } });
  for (const name of ['ann', 'bob']) provider.know(name, { email: `${name}@example.com`, email_verified: true, name });
});
afterAll(async () => {
  await daemon.stop();
  await provider.stop();
  rmSync(folder, { recursive: true, force: true });
});
afterEach(() => {
  provider.alter('token');
  provider.alter('device_authorization');
  provider.replace('token', null);
  provider.failWith(null);
});

const profileOf = (user: string) => ({ XDG_CONFIG_HOME: join(folder, user), EARSHOT_URL: daemon.url });
const earshot = (args: string, user: string, env: Readonly<Record<string, string>> = {}): Terminal =>
  onTerminal(`'${process.execPath}' '${program}' ${args}`, { ...profileOf(user), STAND_IN_USER: user, ...env });
const withBrowser = { BROWSER: browser };

/** Waits until the pattern's first group is on the screen. */
async function seen(terminal: Terminal, pattern: RegExp): Promise<string> {
  let found = '';
  await eventually(() => {
    found = pattern.exec(terminal.shown)?.[1] ?? '';
    if (found === '') throw new Error(`${pattern} is not shown: ${terminal.shown}`);
  });
  return found;
}
const pageIn = (terminal: Terminal) => seen(terminal, /\n\s+(http\S+\/auth\?\S+)\s/);
/** Sends what a provider, or somebody else, might send to the command that waits. */
function answerOf(page: string, more: Readonly<Record<string, string>>): string {
  const { searchParams } = new URL(page);
  const back = new URL(searchParams.get('redirect_uri') ?? '');
  back.search = String(new URLSearchParams({ state: searchParams.get('state') ?? '', ...more }));
  return back.href;
}

describe.skipIf(!hasTerminal)('earshot login at an identity provider', () => {
  it('opens a browser, and is logged in when it comes back', async () => {
    const login = earshot('login', 'ann', withBrowser);
    expect(await login.ended).toBe(0);
    expect(login.shown).toContain('as ann@example.com');
    const whoami = earshot('whoami', 'ann');
    expect(await whoami.ended).toBe(0);
    expect(whoami.shown).toContain('ann@example.com');
  });

  it('asks by PKCE, for any free port of this machine, with a state and a nonce of its own', async () => {
    const login = earshot('login', 'bob');
    const asked = new URL(await pageIn(login)).searchParams;
    await login.answer('Waiting', ctrlC);
    expect(await login.ended).toBe(130);
    expect(Object.fromEntries(asked)).toEqual({
      response_type: 'code',
      client_id: 'earshot',
      scope: 'openid email profile',
      redirect_uri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/callback$/),
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^earshot\.[\w-]{43}$/),
    });
    expect(login.shown).not.toMatch(/Error|\bat /);
  });

  it('prints the address where no browser opens, and passes over answers to another sign-in', async () => {
    const login = earshot('login', 'bob');
    const page = await pageIn(login);
    const others: Record<string, string>[] = [
      { state: 'another', code: 'stolen' },
      { state: '', error: 'access_denied' },
    ];
    for (const wrong of others) expect((await fetch(answerOf(page, wrong))).status).toBe(400);
    for (const path of ['/other', '//'])
      expect((await fetch(new URL(answerOf(page, {})).origin + path)).status).toBe(404);
    const last = await browse(page, { user: 'bob' });
    expect(last.text).toContain('You are logged in');
    expect(await login.ended).toBe(0);
    expect(login.shown).toMatch(/was ignored[\s\S]*as bob@example\.com/);
    expect(login.shown.split('was ignored')).toHaveLength(2);
  });

  it('says that the person cancelled', async () => {
    const login = earshot('login', 'ann', { ...withBrowser, STAND_IN_CANCEL: '1' });
    expect(await login.ended).toBe(3);
    expect(login.shown).toContain('cancelled at the identity provider');
  });

  it.each([
    [
      'error',
      { error: 'server_error', error_description: 'no \u001b[31mdice' },
      /refuses the sign-in: server_error, no/,
    ],
    ['issuer', { code: 'c', iss: 'https://evil.example' }, /came back from https:\/\/evil\.example/],
    ['code', { code: 'made up' }, /used already, has expired/],
    ['lack of a code', {}, /without a code/],
  ])('says what is wrong with an answer: its %s', async (_, answer, says) => {
    const login = earshot('login', 'bob');
    const page = await fetch(answerOf(await pageIn(login), answer));
    expect(await page.text()).toContain('You are not logged in');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await login.ended).toBe(3);
    expect(login.shown.replaceAll(/\s+/g, ' ')).toMatch(says);
  });

  it('refuses an ID token with the nonce of another sign-in', async () => {
    provider.know('eve', { email: 'eve@example.com', email_verified: true });
    provider.alter('token', { id_token: await provider.idToken('eve', { nonce: 'of another sign-in' }) });
    const login = earshot('login', 'bob', withBrowser);
    expect(await login.ended).toBe(3);
    expect(login.shown.replaceAll(/\s+/g, ' ')).toContain('its nonce is another one');
  });

  it('says that the provider went away in the middle', async () => {
    const login = earshot('login', 'bob');
    const page = await pageIn(login);
    provider.replace('token', { status: 502, body: 'away' });
    await browse(page, { user: 'bob' });
    expect(await login.ended).toBe(1);
    expect(login.shown).toContain('The identity provider cannot be used: ');
  });

  it('logs two people in at once', async () => {
    const [ann, bob] = [earshot('login', 'ann'), earshot('login', 'bob')];
    const [pageOfAnn, pageOfBob] = [await pageIn(ann), await pageIn(bob)];
    await Promise.all([browse(pageOfBob, { user: 'bob' }), browse(pageOfAnn, { user: 'ann' })]);
    expect(await Promise.all([ann.ended, bob.ended])).toEqual([0, 0]);
    expect(ann.shown).toContain('as ann@example.com');
    expect(bob.shown).toContain('as bob@example.com');
  });

  it.each([['127.0.0.1', '127.0.0.1'], ...(hasIpv6 ? [['::1', 'localhost']] : [])])(
    'says that the port is taken which the provider wants, at %s',
    async (address, host) => {
      const taken = createServer().listen(0, address);
      await new Promise((resolve, reject) => taken.once('listening', resolve).once('error', reject));
      const { port } = taken.address() as AddressInfo;
      const fixed = await startDaemon({
        settings: { ...provider.settings, EARSHOT_IDENTITY_REDIRECT_URI: `http://${host}:${port}/callback` },
      });
      try {
        const login = earshot('login', 'bob', { EARSHOT_URL: fixed.url });
        expect(await login.ended).toBe(5);
        expect(login.shown.replaceAll(/\s+/g, ' ')).toContain(`Port ${port} of this machine is taken`);
      } finally {
        taken.close();
        await fixed.stop();
      }
    },
  );

  it('still takes e-mail and password where they are named', async () => {
    const login = earshot(`login --email ${administrator.email}`, 'admin');
    await login.answer('Password', `${administrator.password}\r`);
    expect(await login.ended).toBe(0);
    expect(login.shown).not.toContain('/auth?');
  });
});

describe.skipIf(!hasTerminal)('earshot login --device', () => {
  const codeIn = (terminal: Terminal) => seen(terminal, /(http\S+\/device\?user_code=\S+)/);

  it('shows a code, waits as long as the provider wants, and is logged in when somebody has confirmed it', async () => {
    provider.alter('device_authorization', { interval: 1 });
    const login = earshot('login --device', 'ann');
    const page = await codeIn(login);
    expect(login.shown).toMatch(/enter the code:\s+[A-Z]{4}-[A-Z]{4}/);
    provider.replace('token', { status: 400, body: { error: 'slow_down' } });
    const asked = provider.asked.get('/token') ?? 0;
    await eventually(() => expect(provider.asked.get('/token')).toBeGreaterThan(asked));
    provider.replace('token', null);
    await browse(page, { user: 'ann' });
    const since = Date.now();
    expect(await login.ended).toBe(0);
    expect(Date.now() - since).toBeGreaterThan(4_000);
    expect(login.shown).toContain('as ann@example.com');
  });

  it('says that it was refused', async () => {
    provider.alter('device_authorization', { interval: 1 });
    const login = earshot('login --device', 'ann');
    await browse(await codeIn(login), { user: 'ann', cancel: true });
    expect(await login.ended).toBe(3);
    expect(login.shown).toContain('cancelled at the identity provider');
  });

  it('says that nobody confirmed it in time', async () => {
    provider.alter('device_authorization', { interval: 1 });
    provider.replace('token', { status: 400, body: { error: 'expired_token' } });
    const login = earshot('login --device', 'ann');
    expect(await login.ended).toBe(3);
    expect(login.shown).toContain('not confirmed in time');
  });

  it('goes on after the provider was away for a while', async () => {
    provider.alter('device_authorization', { interval: 1 });
    const login = earshot('login --device', 'bob');
    const page = await codeIn(login);
    await browse(page, { user: 'bob' });
    provider.failWith(503);
    const asked = provider.asked.get('/token') ?? 0;
    await eventually(() => expect(provider.asked.get('/token')).toBeGreaterThan(asked));
    provider.failWith(null);
    expect(await login.ended).toBe(0);
  });
});

describe('earshot without a terminal', () => {
  const cli = commandLine(() => ({ EARSHOT_URL: daemon.url }));
  afterAll(() => cli.dispose());

  it('opens no browser unless it is told to', async () => {
    expect(await cli.run(['login'])).toMatchObject({ code: 2, stderr: expect.stringContaining('--email') });
    const told = await cli.run(['login', '--browser', '--json'], { env: { BROWSER: browser, STAND_IN_USER: 'ann' } });
    expect(JSON.parse(told.stdout)).toMatchObject({ email: 'ann@example.com' });
  });

  it('takes an ID token from standard input', async () => {
    const input = await provider.idToken('bob');
    expect(await cli.run(['login', '--session-stdin'], { input })).toMatchObject({ code: 0 });
  });

  it('shows with auth status who is logged in, and whether the provider can be used', async () => {
    expect(await cli.json(['auth', 'status'])).toEqual({
      daemon: daemon.url,
      account: 'bob@example.com',
      provider: provider.url,
      browser: true,
      device: true,
      problem: null,
    });
    await cli.run(['logout']);
    expect(await cli.run(['auth', 'status'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('earshot login'),
    });
    const key = { EARSHOT_API_KEY: daemon.apiKey };
    expect(await cli.run(['auth', 'status'], { env: key })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('API key test'),
    });
  });

  it('says with auth status and doctor what the operator has to mend', async () => {
    const settings = { ...provider.settings, EARSHOT_IDENTITY_CLIENT_SECRET: 'wrong', EARSHOT_LOG_LEVEL: 'fatal' };
    const wrong = await startDaemon({ settings });
    try {
      const env = { EARSHOT_URL: wrong.url, EARSHOT_API_KEY: wrong.apiKey };
      for (const command of [['auth', 'status'], ['doctor']])
        expect(await cli.run(command, { env })).toMatchObject({
          code: 1,
          stdout: expect.stringContaining('EARSHOT_IDENTITY_CLIENT_SECRET'),
        });
    } finally {
      await wrong.stop();
    }
  });
});
