import { hash } from '@node-rs/argon2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { consoleSessionRoutes } from '../../src/contract/identity/console-sessions.js';
import { projectRoutes, projectUserRoutes } from '../../src/contract/projects/projects.js';
import { administrator, startDaemon, type TestDaemon } from '../support/daemon.js';
import { openStream } from '../support/stream.js';
import { writeBeside } from '../support/write-beside.js';

let daemon: TestDaemon;
let aheadMs = 0;
/** Lets time go by. */
const pass = (seconds: number) => {
  aheadMs += seconds * 1_000;
};
beforeAll(async () => {
  daemon = await startDaemon({
    now: () => new Date(Date.now() + aheadMs),
    settings: { EARSHOT_TRUSTED_PROXIES: '127.0.0.1' },
  });
});
afterAll(() => daemon.stop());

let addresses = 0;
const newAddress = () => {
  addresses += 1;
  return `198.51.100.${addresses}`;
};
async function post(path: string, body: object, { address = newAddress(), token = '' } = {}) {
  const response = await fetch(`${daemon.url}${path}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-Forwarded-For': address,
      ...(token === '' ? {} : { Authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
}
const loginCredentials = (email: string, password: string, address?: string) =>
  post(accountRoutes.loginCredentials.path, { email, password }, { ...(address === undefined ? {} : { address }) });
const bearer = (token: string) => new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token } });
/** Makes checks of the account cheap, by its stored hash: hundreds of guesses at it take no time. */
async function checkedFast(email: string, password: string): Promise<void> {
  const cheap = await hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 });
  const update = 'UPDATE "User" SET "passwordHash" = ? WHERE "email" = ?';
  expect(await writeBeside(daemon.databaseUrl, update, cheap, email)).toBe(1);
}
const me = (token: string) => bearer(token).call(accountRoutes.me, {});

async function invite(email: string, projectId = daemon.projectId) {
  const { invitationUrl } = await daemon.admin.call(projectUserRoutes.invite, {
    params: { projectId },
    body: { email, role: 'moderator' },
  });
  return new URL(invitationUrl ?? '').hash.replace('#token=', '');
}
const accept = (body: object, address?: string) =>
  post(accountRoutes.acceptInvitation.path, body, { ...(address === undefined ? {} : { address }) });
/** A new person with a password, signed in. */
async function member(email: string, password = 'a password of length') {
  const answer = await accept({ token: await invite(email), password, displayName: 'New' });
  expect(answer.status).toBe(201);
  return { email, password, token: String(answer.body.accessToken) };
}
async function streamOf(token: string) {
  const url = `${daemon.url}/api/projects/${daemon.projectId}/events/stream`;
  const stream = await openStream(url, { Authorization: `Bearer ${token}` });
  expect(stream.status).toBe(200);
  return stream;
}

/** How soon is measured elsewhere; here it is that it closes at all. */
const closedWithinMs = 15_000;
const closes = async (ended: Promise<void>) =>
  expect(
    await Promise.race([ended.then(() => 'closed'), new Promise((r) => setTimeout(r, closedWithinMs, 'open'))]),
  ).toBe('closed');

describe('POST /api/auth/login-credentials', () => {
  it('tells a wrong password and an unknown address alike', async () => {
    const wrong = await loginCredentials(administrator.email, 'not the password');
    const unknown = await loginCredentials('nobody@example.com', 'not the password');
    const told = ({ body: { requestId, ...rest } }: typeof wrong) => rest;
    expect(told(wrong)).toEqual(told(unknown));
    expect(wrong).toMatchObject({ status: 401, body: { code: 'login_failed' } });
  });

  /** `count` wrong passwords, a few at a time. */
  async function fail(count: number, guess: (n: number) => { email: string; address: string }) {
    const answers: number[] = [];
    for (let n = 0; n < count; n += 5) {
      const some = Array.from({ length: Math.min(5, count - n) }, (_, each) => guess(n + each));
      const told = await Promise.all(some.map((one) => loginCredentials(one.email, 'wrong password', one.address)));
      answers.push(...told.map(({ status }) => status));
    }
    return answers;
  }

  it('allows ten failures a minute at an account from one network, and locks nobody else out', async () => {
    const { email, password } = await member('ten@example.com');
    const { email: colleague, password: theirs } = await member('colleague@example.com');
    const address = newAddress();
    expect(new Set(await fail(10, () => ({ email, address })))).toEqual(new Set([401]));
    const eleventh = await loginCredentials(email.toUpperCase(), password, address);
    expect(eleventh).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(Number(eleventh.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await loginCredentials(email, password)).toMatchObject({ status: 201 });
    expect(await loginCredentials(colleague, theirs, address)).toMatchObject({ status: 201 });
    pass(61);
    expect(await loginCredentials(email, password, address)).toMatchObject({ status: 201 });
  });

  it('never refuses the right password from a network that the account is known from, however much is guessed there', async () => {
    const { email, password } = await member('used-from@example.com');
    await checkedFast(email, password);
    const address = newAddress();
    expect(await loginCredentials(email, password, address)).toMatchObject({ status: 201 });
    expect(new Set(await fail(10, () => ({ email, address })))).toEqual(new Set([401]));
    for (let round = 0; round < 5; round += 1) {
      const guesses = fail(30, () => ({ email, address }));
      const [right, wrong] = await Promise.all([loginCredentials(email, password, address), guesses]);
      expect(right).toMatchObject({ status: 201 });
      expect(wrong.filter((status) => status !== 401 && status !== 429)).toEqual([]);
    }
    expect(new Set(await fail(20, () => ({ email, address })))).toContain(429);
    expect(await loginCredentials(email, password, address)).toMatchObject({ status: 201 });
  }, 60_000);

  it('counts failures that are made at once, and no successes', async () => {
    const { email, password } = await member('atonce@example.com');
    const address = newAddress();
    for (let n = 0; n < 12; n += 1) expect((await loginCredentials(email, password, address)).status).toBe(201);
    const elsewhere = newAddress();
    const guesses = Array.from({ length: 20 }, () => loginCredentials(email, 'wrong password', elsewhere));
    const answers = (await Promise.all(guesses)).map(({ status }) => status);
    expect(answers.filter((status) => status === 401)).toHaveLength(10);
    expect(answers.filter((status) => status === 429)).toHaveLength(10);
  });

  it('allows a network sixty failures a minute over all accounts, except where somebody signed in before', async () => {
    const address = newAddress();
    const { email, password } = await member('spared@example.com');
    expect(await loginCredentials(email, password, address)).toMatchObject({ status: 201 });
    const answers = await fail(61, (n) => ({ email: `guess${n}@example.com`, address }));
    expect(answers.at(-2)).toBe(401);
    expect(answers.at(-1)).toBe(429);
    expect(await loginCredentials(email, password, address)).toMatchObject({ status: 201 });
  });

  it('slows down guesses at an account from everywhere, and never locks out a network that it was used from', async () => {
    const { email, password } = await member('everywhere@example.com');
    await checkedFast(email, password);
    const office = newAddress();
    expect(await loginCredentials(email, password, office)).toMatchObject({ status: 201 });
    const nobody = 'nobody-everywhere@example.com';
    const guesses = await fail(100, (n) => ({ email, address: `203.0.113.${n}` }));
    const inVain = await fail(100, (n) => ({ email: nobody, address: `203.0.113.${n}` }));
    expect(new Set(guesses)).toEqual(new Set([401]));
    expect(inVain).toEqual(guesses);
    // From a network that the account is not known from, one attempt in six seconds: the right password gets its turn.
    const flood = await Promise.all(
      Array.from({ length: 60 }, (_, n) => loginCredentials(email, 'wrong password', `198.51.100.${n}`)),
    );
    const refused = flood.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(10);
    for (const { headers } of refused) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    pass(60);
    expect(await loginCredentials(email, password)).toMatchObject({ status: 201 });
    expect(await loginCredentials(email, password, office)).toMatchObject({ status: 201 });
    pass(601);
    expect(await loginCredentials(email, password)).toMatchObject({ status: 201 });
  }, 120_000);
});

describe('attempts from one customer of an IPv6 provider', () => {
  it('count together, whatever address of the network they come from', async () => {
    const from = (host: number, network = 0x1200 + host) =>
      loginCredentials('guess6@example.com', 'wrong', `2001:db8:1:${network.toString(16)}::${host}`);
    const tried = await Promise.all(Array.from({ length: 10 }, (_, host) => from(host + 1)));
    for (const { status } of tried) expect(status).toBe(401);
    expect((await from(11)).status).toBe(429);
    expect((await from(1, 0x1300)).status).toBe(401);
  });
});

describe('a user token', () => {
  it('is exchanged for a fresh one, and is dead then', async () => {
    const { token } = await member('refresh@example.com');
    const { accessToken } = await bearer(token).call(accountRoutes.refresh, {});
    await expect(me(token)).rejects.toMatchObject({ status: 401, code: 'credential_invalid' });
    expect(await me(accessToken)).toMatchObject({ email: 'refresh@example.com' });
  });

  it('is dead as soon as it is logged out, and its streams close; other logins go on', async () => {
    const { email, password, token } = await member('logout@example.com');
    const other = (await loginCredentials(email, password)).body.accessToken;
    const [stream, otherStream] = await Promise.all([streamOf(token), streamOf(other)]);
    await bearer(token).call(accountRoutes.logout, {});
    await expect(me(token)).rejects.toMatchObject({ status: 401, code: 'credential_invalid' });
    await closes(stream.ended);
    expect(await me(other)).toMatchObject({ email });
    otherStream.close();
  });

  it('is dead once the password has changed, and its streams close; the one from the change holds', async () => {
    const { email, password, token } = await member('change@example.com');
    const stream = await streamOf(token);
    const next = 'quite another password';
    const { accessToken } = await bearer(token).call(accountRoutes.changePassword, {
      body: { currentPassword: password, newPassword: next },
    });
    await expect(me(token)).rejects.toMatchObject({ status: 401 });
    await closes(stream.ended);
    expect(await me(accessToken)).toMatchObject({ email });
    expect(await loginCredentials(email, password)).toMatchObject({ status: 401 });
    expect(await loginCredentials(email, next)).toMatchObject({ status: 201 });
  });

  it('does not outlive a new password when it is made beside the change, by any way of making one', async () => {
    for (let round = 0; round < 6; round += 1) {
      const { email, password, token } = await member(`beside-${round}@example.com`);
      const stolen = (await loginCredentials(email, password)).body.accessToken;
      const ofConsole = (await loginCredentials(email, password)).body.accessToken;
      const body = { currentPassword: password, newPassword: 'quite another password' };
      const [changed, ...others] = await Promise.all([
        bearer(token).call(accountRoutes.changePassword, { body }),
        bearer(stolen)
          .call(accountRoutes.refresh, {})
          .then(
            ({ accessToken }) => accessToken,
            () => null,
          ),
        bearer(ofConsole)
          .call(consoleSessionRoutes.create, { headers: { 'x-earshot-console': '1' } })
          .then(
            ({ accessToken }) => accessToken,
            () => null,
          ),
        loginCredentials(email, password).then((answer) => answer.body.accessToken ?? null),
      ]);
      for (const other of others)
        if (other !== null) await expect(me(other)).rejects.toMatchObject({ code: 'credential_invalid' });
      expect(await me(changed.accessToken)).toMatchObject({ email });
    }
  });

  it('is renewed or logged out, not both', async () => {
    for (let round = 0; round < 6; round += 1) {
      const { token } = await member(`once-${round}@example.com`);
      const renewals = await Promise.allSettled([1, 2].map(() => bearer(token).call(accountRoutes.refresh, {})));
      expect(renewals.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    }
  });

  it('does not change a password for who does not know it', async () => {
    const { token } = await member('guarded@example.com');
    const body = { currentPassword: 'not this one', newPassword: 'quite another password' };
    await expect(bearer(token).call(accountRoutes.changePassword, { body })).rejects.toMatchObject({
      status: 401,
      code: 'login_failed',
    });
  });
});

describe('POST /api/auth/invitations/accept', () => {
  it('makes an account, signs it in and opens the project', async () => {
    const { token } = await member('new@example.com');
    expect(await me(token)).toMatchObject({ email: 'new@example.com', displayName: 'New', role: 'member' });
    const people = await bearer(token).call(projectUserRoutes.list, { params: { projectId: daemon.projectId } });
    expect(people.find(({ email }) => email === 'new@example.com')).toMatchObject({
      role: 'moderator',
      status: 'accepted',
    });
  });

  it('holds once', async () => {
    const token = await invite('once@example.com');
    const body = { token, password: 'a password of length' };
    const answers = await Promise.all([accept(body), accept(body), accept(body)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 401, 401]);
    expect(await accept(body)).toMatchObject({ status: 401, body: { code: 'invitation_token_invalid' } });
  });

  it('needs a password, and the own one of an account that is there', async () => {
    expect(await accept({ token: await invite('bare@example.com') })).toMatchObject({
      status: 400,
      body: { code: 'password_required' },
    });
    const { email, password } = await member('known@example.com');
    const { id } = await daemon.admin.call(projectRoutes.create, { body: { name: 'second project' } });
    const token = await invite(email, id);
    const wrong = await accept({ token, password: 'somebody else typed this' });
    expect(wrong).toMatchObject({ status: 401, body: { code: 'login_failed' } });
    const right = await accept({ token, password });
    expect(right).toMatchObject({ status: 201, body: { user: { email } } });
    const projects = await bearer(right.body.accessToken).call(projectRoutes.list, {});
    expect(projects.map(({ name }) => name).sort()).toEqual(['default', 'second project']);
  });

  it('counts guesses at an account like those of a login, wherever they come from', async () => {
    const { email, password } = await member('guessed@example.com');
    const { id } = await daemon.admin.call(projectRoutes.create, { body: { name: 'third project' } });
    const token = await invite(email, id);
    const address = newAddress();
    const guess = () => accept({ token, password: 'somebody else typed this' }, address);
    for (let n = 0; n < 10; n += 1)
      expect(await guess()).toMatchObject({ status: 401, body: { code: 'login_failed' } });
    expect(await accept({ token, password }, address)).toMatchObject({ status: 429 });
    expect(await loginCredentials(email, password, address)).toMatchObject({ status: 429 });
    expect(await accept({ token, password })).toMatchObject({ status: 201 });
  });

  it('is void once the invitation was withdrawn', async () => {
    const token = await invite('withdrawn@example.com');
    const params = { projectId: daemon.projectId };
    const people = await daemon.admin.call(projectUserRoutes.list, { params });
    const permissionId = people.find(({ email }) => email === 'withdrawn@example.com')?.permissionId ?? '';
    await daemon.admin.call(projectUserRoutes.remove, { params, body: { permissionId } });
    expect(await accept({ token, password: 'a password of length' })).toMatchObject({
      status: 401,
      body: { code: 'invitation_token_invalid' },
    });
  });
});
