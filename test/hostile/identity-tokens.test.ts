/** Tokens that name nobody, sent to the sign-in of an identity provider from the network of others. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { administrator, DaemonProcess } from '../support/daemon-process.js';
import { rentedMachine, watchingHealth } from '../support/health-watch.js';
import { type ForeignProvider, startIdentityProvider } from '../support/identity-provider.js';
import { scale } from '../support/scale.js';
import { someAtOnce } from '../support/some-at-once.js';

const tokens = scale(80, 400);
/** Fewer than may ask the provider at the same time. */
const atOnce = 10;
const network = '198.51.100.7';

let provider: ForeignProvider;
let daemon: DaemonProcess;
beforeAll(async () => {
  provider = await startIdentityProvider();
  const settings = { EARSHOT_TRUSTED_PROXIES: '127.0.0.1', EARSHOT_IDENTITY_AUTO_CREATE: '1' };
  const limits = { EARSHOT_RATE_LIMIT_ADDRESS: '0' };
  daemon = new DaemonProcess({ ...provider.settings, ...settings, ...limits }, rentedMachine);
  await daemon.start();
});
afterAll(async () => {
  await daemon.dispose();
  await provider.stop();
});

async function statusOf({ path }: { readonly path: string }, body: object): Promise<number> {
  const headers = { 'Content-Type': 'application/json', 'X-Forwarded-For': network };
  const answer = await fetch(daemon.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  await answer.body?.cancel();
  return answer.status;
}

it('keep nobody of that network from signing in, at the provider or by a password', { timeout: 120_000 }, async () => {
  let statuses: number[] = [];
  await watchingHealth(daemon, `${tokens} tokens that name nobody`, async () => {
    const madeUp = (index: number) => statusOf(accountRoutes.login, { sessionId: `made up ${index}` });
    statuses = await someAtOnce(tokens, madeUp, atOnce);
  });
  expect([...new Set(statuses)].sort()).toEqual([401, 429]);
  for (const make of ['accessToken', 'idToken'] as const) {
    provider.know(make, { email: `${make.toLowerCase()}@example.com`, email_verified: true });
    expect(await statusOf(accountRoutes.login, { sessionId: await provider[make](make) })).toBe(201);
  }
  expect(await statusOf(accountRoutes.loginCredentials, { email: administrator.email, password: 'wrong' })).toBe(401);
});
