/** Failed sign-ins are counted for all daemons of a database, and known networks outlive a restart. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { administrator, DaemonProcess } from '../support/daemon-process.js';
import { hasPostgresql } from '../support/postgresql.js';
import { TwoDaemons } from '../support/two-daemons.js';

const guesses = 45;
const failuresMax = 10;
const addresses = { EARSHOT_TRUSTED_PROXIES: '127.0.0.1' };

/** Signs in as from this address. */
const login = async (url: string, password: string, address: string, email: string = administrator.email) => {
  const response = await fetch(url + accountRoutes.loginCredentials.path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': address },
    body: JSON.stringify({ email, password }),
  });
  await response.body?.cancel();
  return response.status;
};
const count = (statuses: readonly number[], status: number) => statuses.filter((one) => one === status).length;

describe.skipIf(!hasPostgresql)('wrong passwords at two daemons', { timeout: 120_000 }, () => {
  let both: TwoDaemons;
  beforeAll(async () => {
    both = await TwoDaemons.start(addresses);
  }, 120_000);
  afterAll(() => both.stop());

  it('get through as often as at one', async () => {
    const from = '198.51.100.7';
    const guess = (n: number) => login(both.daemons[n % 2 === 0 ? 0 : 1].url, 'wrong password', from);
    const statuses = await Promise.all(Array.from({ length: guesses }, (_, n) => guess(n)));
    expect([count(statuses, 401), count(statuses, 429)]).toEqual([failuresMax, guesses - failuresMax]);
  });
});

describe('a daemon that was started again', { timeout: 120_000 }, () => {
  it('knows from which networks an account was used, and how often it failed elsewhere', async () => {
    const daemon = new DaemonProcess({ ...addresses, EARSHOT_STOP_DELAY_SECONDS: '0' });
    await daemon.start();
    const [home, abroad] = ['198.51.100.8', '198.51.100.9'];
    expect(await login(daemon.url, administrator.password, home)).toBe(201);
    const guess = (address: string) => login(daemon.url, 'wrong password', address);
    expect(count(await Promise.all(Array.from({ length: failuresMax }, () => guess(abroad))), 401)).toBe(failuresMax);
    await daemon.end('SIGTERM');
    await daemon.start();
    expect(await guess(abroad)).toBe(429);
    expect(count(await Promise.all(Array.from({ length: failuresMax }, () => guess(home))), 401)).toBe(failuresMax);
    expect(await login(daemon.url, administrator.password, home)).toBe(201);
    await daemon.dispose();
  });
});
