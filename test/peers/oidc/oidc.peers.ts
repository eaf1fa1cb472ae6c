/** A provider in Java (mock-oauth2-server), which install.sh fetches: the built command signs in there. */
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { EarshotClient } from '../../../src/client/earshot-client.js';
import { accountRoutes } from '../../../src/contract/identity/accounts.js';
import { commandLine } from '../../support/cli.js';
import { startDaemon, type TestDaemon } from '../../support/daemon.js';
import { eventually } from '../../support/eventually.js';
import { freePort } from '../../support/free-port.js';
import { authorized } from '../../support/oidc-login.js';
import { browse } from '../../support/stand-in-browser.mjs';
import { onTerminal } from '../../support/terminal.js';

const libraries = fileURLToPath(new URL('.installed/lib', import.meta.url));
const program = createRequire(import.meta.url).resolve('../../../bin/earshot.js');
/** What the provider says about everybody who signs in. */
const claims = {
  email: 'ann@example.com',
  email_verified: true,
  name: 'Ann',
  groups: ['voice-admins'],
  aud: 'earshot',
};
const issuer = { issuerId: 'studio', tokenExpiry: 600 };
const mapping = { requestParam: 'grant_type', match: 'authorization_code', claims: { sub: 'ann', ...claims } };

let java: ReturnType<typeof spawn>;
let url: string;
let daemon: TestDaemon;
const cli = commandLine(() => ({ EARSHOT_URL: daemon.url }));
beforeAll(async () => {
  const port = await freePort();
  url = `http://127.0.0.1:${port}/studio`;
  const JSON_CONFIG = JSON.stringify({
    interactiveLogin: false,
    tokenCallbacks: [{ ...issuer, requestMappings: [mapping] }],
  });
  java = spawn('java', ['-cp', `${libraries}/*`, 'no.nav.security.mock.oauth2.StandaloneMockOAuth2ServerKt'], {
    env: { PATH: process.env.PATH, SERVER_HOSTNAME: '127.0.0.1', SERVER_PORT: String(port), JSON_CONFIG },
    stdio: 'ignore',
  });
  await eventually(async () => {
    const response = await fetch(`${url}/.well-known/openid-configuration`).catch(() => null);
    expect(response?.status).toBe(200);
  });
  daemon = await startDaemon({
    settings: {
      ...{ EARSHOT_IDENTITY: 'oidc', EARSHOT_IDENTITY_URL: url, EARSHOT_IDENTITY_CLIENT_ID: 'earshot' },
      ...{ EARSHOT_IDENTITY_CLIENT_SECRET: 'any', EARSHOT_IDENTITY_ROLES: '{"voice-admins": "admin"}' },
    },
  });
});
afterAll(async () => {
  await daemon.stop();
  java.kill();
  cli.dispose();
});

it('is signed in at by a browser, with the role of a group', async () => {
  const login = onTerminal(`'${process.execPath}' '${program}' login`, {
    ...{ XDG_CONFIG_HOME: cli.config, EARSHOT_URL: daemon.url },
  });
  let page = '';
  await eventually(() => {
    page = /\n\s+(http\S+\/authorize\?\S+)\s/.exec(login.shown)?.[1] ?? '';
    expect(page).not.toBe('');
  });
  expect((await browse(page, { user: 'ann' })).text).toContain('You are logged in');
  expect(await login.ended).toBe(0);
  expect(login.shown).toContain('as ann@example.com');
  expect(await cli.json(['whoami'])).toMatchObject({ email: 'ann@example.com', role: 'admin' });
});

it('answers with a nonce that the daemon compares', async () => {
  const client = new EarshotClient({ baseUrl: daemon.url });
  const provider = await client.call(accountRoutes.provider, {});
  const { error: _, ...request } = await authorized(provider, 'ann');
  const body = { ...request, nonce: 'of another sign-in' };
  await expect(client.call(accountRoutes.loginWithCode, { body })).rejects.toThrow('nonce is another one');
});

it('is described as one that can be used', async () => {
  expect(await cli.json(['auth', 'status'])).toMatchObject({ provider: url, problem: null });
});
