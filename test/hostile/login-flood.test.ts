/** Floods of logins from everywhere: computing hashes is slow on purpose, and nobody else may wait behind it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { administrator, DaemonProcess } from '../support/daemon-process.js';
import { eventually } from '../support/eventually.js';
import { rentedMachine, watchingHealth } from '../support/health-watch.js';
import { scale, torture } from '../support/scale.js';

const guesses = scale(300, 6_000);
/** Fewer than one network may have connections open to a daemon with few files. */
const atOnce = scale(150, 250);
const [knownAtOnce, rounds] = [scale(20, 100), scale(2, 20)];
/** Logins that are timed, of an account and of an address that has none: fewer than those after which an account is slowed down. */
const timed = scale(5, 40);
/** Largest difference between the two medians that counts as noise of the machine. */
const differenceMax = 0.2;

const daemon = new DaemonProcess({ EARSHOT_TRUSTED_PROXIES: '127.0.0.1' }, rentedMachine);
let url: string;
let client: EarshotClient;
beforeAll(async () => {
  url = (await daemon.start()).http;
  const { accessToken } = await new EarshotClient({ baseUrl: url }).call(accountRoutes.loginCredentials, {
    body: administrator,
  });
  client = new EarshotClient({ baseUrl: url, credential: { kind: 'bearer', token: accessToken } });
});
afterAll(() => daemon.dispose());

let addresses = 0;
/** Logs in, each time from another address. */
async function login(email: string, password: string, from?: string, at = url) {
  addresses += 1;
  const address = from ?? `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;
  const response = await fetch(at + accountRoutes.loginCredentials.path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': address },
    body: JSON.stringify({ email, password }),
  });
  await response.body?.cancel();
  return { status: response.status, retryAfter: Number(response.headers.get('retry-after')) };
}

describe('a flood of logins from everywhere', { timeout: 240_000 }, () => {
  it('fills its queue and no other: the rest of it is 503 overloaded, requests go on', async () => {
    const told = new Map<number, number>();
    const home = '203.0.113.1';
    await eventually(async () =>
      expect((await login(administrator.email, administrator.password, home)).status).toBe(201),
    );
    await watchingHealth(daemon, `${guesses} logins, ${atOnce} at once`, async () => {
      for (let begun = 0; begun < guesses; begun += atOnce) {
        const flood = Promise.all(
          Array.from({ length: atOnce }, (_, n) => login(`guess${begun + n}@example.com`, 'wrong')),
        );
        for (let n = 0; n < 3; n += 1) expect(await client.call(projectRoutes.list, {})).toHaveLength(1);
        expect((await login(administrator.email, administrator.password, home)).status).toBe(201);
        for (const { status, retryAfter } of await flood) {
          told.set(status, (told.get(status) ?? 0) + 1);
          if (status === 503) expect(retryAfter).toBeGreaterThan(0);
        }
      }
    });
    console.info(`${told.get(401) ?? 0} logins were judged, ${told.get(503) ?? 0} told to come again`);
    expect([...told.keys()].sort()).toEqual([401, 503]);
    await eventually(async () => expect((await login(administrator.email, administrator.password)).status).toBe(201));
  });

  it('learns from the time of an answer nothing about who has an account', async () => {
    const times: Record<'wrong password' | 'unknown address', number[]> = {
      'wrong password': [],
      'unknown address': [],
    };
    const measure = async (kind: keyof typeof times, email: string) => {
      const began = performance.now();
      expect([401, 429]).toContain((await login(email, 'wrong')).status);
      times[kind].push(performance.now() - began);
    };
    for (let n = 0; n < timed; n += 1) {
      await measure('wrong password', administrator.email);
      await measure('unknown address', 'nobody@localhost');
    }
    const median = (kind: keyof typeof times) => times[kind].sort((one, other) => one - other)[timed >> 1] ?? 0;
    const [wrong, unknown] = [median('wrong password'), median('unknown address')];
    console.info(`median of a login: wrong password ${wrong.toFixed(1)} ms, unknown address ${unknown.toFixed(1)} ms`);
    if (torture) expect(Math.abs(wrong - unknown) / wrong).toBeLessThan(differenceMax);
  });
});

describe('a flood of wrong passwords from a network that the account is known from', { timeout: 240_000 }, () => {
  const addressMax = 20;
  const settings = { EARSHOT_TRUSTED_PROXIES: '127.0.0.1', EARSHOT_RATE_LIMIT_ADDRESS: String(addressMax) };
  const limited = new DaemonProcess(settings, rentedMachine);
  beforeAll(() => limited.start());
  afterAll(() => limited.dispose());

  it('neither uses up what the address may ask nor keeps the right password waiting for long', async () => {
    const [home, elsewhere] = ['203.0.113.9', '198.51.100.9'];
    const { email, password } = administrator;
    const from = async (address: string, typed: string) => (await login(email, typed, address, limited.url)).status;
    expect(await from(home, password)).toBe(201);
    const answers = new Set<number>();
    await watchingHealth(limited, `${knownAtOnce} guesses at once from a known network`, async () => {
      for (let round = 0; round < rounds; round += 1) {
        const guesses = Array.from({ length: knownAtOnce }, () => from(home, 'wrong password'));
        expect(await from(home, password)).toBe(201);
        for (const status of await Promise.all(guesses)) answers.add(status);
      }
    });
    expect([...answers].sort()).toEqual([401, 429]);
    // The limit of the address holds for everything else, and where the account is not known.
    for (const address of [home, elsewhere]) {
      const greet = async () => (await fetch(`${limited.url}/api`, { headers: { 'X-Forwarded-For': address } })).status;
      const greetings = await Promise.all(Array.from({ length: addressMax + 1 }, greet));
      expect(greetings).toContain(429);
    }
    expect(await from(home, password)).toBe(201);
    expect(await from(elsewhere, password)).toBe(429);
  });
});
