import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { consoleSessionsMax, consoleSessionRoutes as routes } from '../../src/contract/identity/console-sessions.js';
import { administrator, startDaemon, type TestDaemon } from '../support/daemon.js';
import { openStream } from '../support/stream.js';

let daemon: TestDaemon;
let aheadMs = 0;
/** Lets time go by. */
const pass = (seconds: number) => {
  aheadMs += seconds * 1_000;
};
beforeAll(async () => {
  daemon = await startDaemon({
    now: () => new Date(Date.now() + aheadMs),
    settings: { EARSHOT_RATE_LIMIT_ADDRESS: '0' },
  });
});
afterAll(() => daemon.stop());

interface Sent {
  readonly token?: string;
  readonly cookie?: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}
/** Sends as a page of the daemon does. */
async function post(path: string, { token = '', cookie = '', body, headers = {} }: Sent = {}) {
  const response = await fetch(daemon.url + path, {
    method: 'POST',
    headers: {
      Origin: daemon.url,
      'X-Earshot-Console': '1',
      ...(token === '' ? {} : { Authorization: `Bearer ${token}` }),
      ...(cookie === '' ? {} : { Cookie: cookie }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const set = response.headers.get('set-cookie') ?? '';
  return {
    status: response.status,
    set,
    cookie: set.split(';')[0] ?? '',
    body: text === '' ? null : JSON.parse(text),
    headers: response.headers,
  };
}
const clientOf = (token: string) => new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token } });
const login = async () =>
  (await clientOf('').call(accountRoutes.loginCredentials, { body: administrator })).accessToken;
async function open(headers: Readonly<Record<string, string>> = {}) {
  const answer = await post(routes.create.path, { token: await login(), headers });
  expect(answer.status).toBe(201);
  return {
    cookie: answer.cookie,
    set: answer.set,
    token: String(answer.body.accessToken),
    session: answer.body.session,
  };
}
const renew = (cookie: string, headers = {}) => post(routes.renew.path, { cookie, headers });
const mayCall = (token: string) =>
  clientOf(token)
    .call(accountRoutes.me, {})
    .then(
      () => true,
      () => false,
    );
const refusal = (status: number, code: string) => ({ status, body: { code } });

describe('the cookie of a console session', () => {
  it('on https can be set by no other name of the domain, and no other cookie counts there', async () => {
    const secure = await startDaemon({ settings: { EARSHOT_PUBLIC_URL: 'https://voice.example' } });
    const headers = { Origin: 'https://voice.example', 'X-Earshot-Console': '1' };
    const ask = (path: string, more: Record<string, string>) =>
      fetch(secure.url + path, { method: 'POST', headers: { ...headers, ...more } });
    const { accessToken } = await new EarshotClient({ baseUrl: secure.url }).call(accountRoutes.loginCredentials, {
      body: administrator,
    });
    const opened = await ask(routes.create.path, { Authorization: `Bearer ${accessToken}` });
    const set = opened.headers.get('set-cookie') ?? '';
    expect(set).toMatch(/^__Host-earshot_console=[\w.-]+; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict; Secure$/);
    const cookie = set.split(';')[0] ?? '';
    expect((await ask(routes.renew.path, { Cookie: cookie.replace('__Host-', '') })).status).toBe(401);
    expect((await ask(routes.renew.path, { Cookie: cookie })).status).toBe(201);
    await secure.stop();
  });

  it('is refused where there are two that are valid, and counts beside one that is none', async () => {
    const [own, foreign] = [await open(), await open()];
    for (const cookie of [`${foreign.cookie}; ${own.cookie}`, `${own.cookie}; ${foreign.cookie}`])
      expect(await renew(cookie)).toMatchObject(refusal(401, 'console_session_invalid'));
    expect((await renew(`earshot_console=made.up; ${own.cookie}`)).status).toBe(201);
  });
});

describe('POST /api/auth/console/sessions', () => {
  it('sets a cookie that pages cannot read, for its own operations alone, and replaces the token', async () => {
    const token = await login();
    const { status, set, body, headers } = await post(routes.create.path, { token });
    expect(status).toBe(201);
    expect(set).toMatch(
      /^earshot_console=[\w.-]+; Path=\/api\/auth\/console; Max-Age=43200; HttpOnly; SameSite=Strict$/,
    );
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toMatchObject({ expiresIn: 900, user: { email: administrator.email }, session: { current: true } });
    expect(JSON.stringify(body)).not.toContain('earshot_console');
    expect([await mayCall(token), await mayCall(body.accessToken)]).toEqual([false, true]);
  });

  it('ends all tokens of the session by a logout with any of them, for as long as they last', async () => {
    const { cookie, token } = await open();
    pass(600);
    const newer = String((await renew(cookie)).body.accessToken);
    await clientOf(token).call(accountRoutes.logout, {});
    pass(400); // the first one has run out, the newer one has not
    expect(await mayCall(newer)).toBe(false);
  });

  it('does not trade its token for one that lasts longer and is in no list', async () => {
    const { token, session } = await open();
    await expect(clientOf(token).call(accountRoutes.refresh, {})).rejects.toMatchObject({ code: 'credential_invalid' });
    expect(await clientOf(token).call(routes.list, {})).toContainEqual(expect.objectContaining({ id: session.id }));
  });

  it('marks the cookie Secure where browsers come by HTTPS', async () => {
    const secure = await startDaemon({ settings: { EARSHOT_PUBLIC_URL: 'https://voice.example' } });
    const { accessToken } = await new EarshotClient({ baseUrl: secure.url }).call(accountRoutes.loginCredentials, {
      body: administrator,
    });
    const headers = {
      Origin: 'https://voice.example',
      'X-Earshot-Console': '1',
      Authorization: `Bearer ${accessToken}`,
    };
    const response = await fetch(secure.url + routes.create.path, { method: 'POST', headers });
    expect(response.headers.get('set-cookie')).toMatch(/; Secure$/);
    await secure.stop();
  });

  it('refuses a page of another origin, a request without an origin, and one without the header', async () => {
    const { cookie } = await open();
    for (const path of [routes.renew.path, routes.redeemCode.path])
      for (const Origin of [
        'https://evil.example',
        'null',
        `${daemon.url}.evil.example`,
        daemon.url.replace('http', 'https'),
      ])
        expect(
          await post(path, {
            cookie,
            headers: { Origin },
            ...(path === routes.renew.path ? {} : { body: { code: 'x' } }),
          }),
        ).toMatchObject(refusal(403, 'console_origin_refused'));
    expect(await renew(cookie, { Origin: '' })).toMatchObject(refusal(403, 'console_origin_refused'));
    expect(await renew(cookie, { 'X-Earshot-Console': '' })).toMatchObject(refusal(400, 'validation_failed'));
    expect((await renew(cookie)).status).toBe(201);
  });

  it('keeps the newest sessions of an account', async () => {
    const first = await open();
    for (let made = 0; made < consoleSessionsMax; made += 1) await open();
    expect(await mayCall(first.token)).toBe(false);
    const { token } = await open();
    expect(await clientOf(token).call(routes.list, {})).toHaveLength(consoleSessionsMax);
  }, 120_000);
});

describe('POST /api/auth/console/renew', () => {
  it('answers with a new cookie and a new token of the same session', async () => {
    const { cookie, session } = await open();
    const next = await renew(cookie);
    expect(next.cookie).not.toBe(cookie);
    expect(next.body.session.id).toBe(session.id);
    expect(await mayCall(next.body.accessToken)).toBe(true);
  });

  it('gives tabs that renew at the same time the same cookie', async () => {
    const { cookie } = await open();
    const answers = await Promise.all([renew(cookie), renew(cookie), renew(cookie)]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map((answer) => answer.cookie)).size).toBe(1);
    expect((await renew(answers[0]?.cookie ?? '')).status).toBe(201);
  });

  it('ends the session when a replaced cookie comes again: for the thief and for the owner', async () => {
    const { cookie: stolen } = await open();
    const owner = await renew(stolen);
    pass(31);
    expect(await renew(stolen)).toMatchObject(refusal(401, 'console_session_reused'));
    expect(await renew(owner.cookie)).toMatchObject(refusal(401, 'console_session_invalid'));
    expect(await mayCall(owner.body.accessToken)).toBe(false);
  });

  it('ends the session at once for a cookie of two generations before', async () => {
    const { cookie } = await open();
    const next = await renew((await renew(cookie)).cookie);
    expect(await renew(cookie)).toMatchObject(refusal(401, 'console_session_reused'));
    expect(await mayCall(next.body.accessToken)).toBe(false);
  });

  it('refuses a cookie that is forged, and leaves the session as it is', async () => {
    const { cookie } = await open();
    const [name, id, generation] = cookie.split(/[=.]/);
    for (const forged of [
      `${name}=${id}.${Number(generation) + 1}.${'A'.repeat(43)}`,
      `${name}=${id}.${generation}.${'A'.repeat(43)}`,
      `${name}=${id}`,
      `${name}=`,
      '',
    ])
      expect(await renew(forged)).toMatchObject(refusal(401, 'console_session_invalid'));
    expect((await renew(cookie)).status).toBe(201);
  });

  it('is used for twelve hours of silence and for seven days at most', async () => {
    const idle = await open();
    pass(12 * 3_600 + 1);
    expect(await renew(idle.cookie)).toMatchObject(refusal(401, 'console_session_invalid'));
    let { cookie } = await open();
    for (let hours = 0; hours < 7 * 24 - 11; hours += 11) {
      pass(11 * 3_600);
      const answer = await renew(cookie);
      expect(answer.status).toBe(201);
      cookie = answer.cookie;
    }
    pass(11 * 3_600);
    expect(await renew(cookie)).toMatchObject(refusal(401, 'console_session_invalid'));
  });
});

describe('DELETE /api/auth/console/sessions/{consoleSessionId}', () => {
  it('signs another browser out: its token, its cookie and its streams end', async () => {
    const [here, there] = [await open(), await open({ 'User-Agent': 'Other/1.0' })];
    const listed = await clientOf(here.token).call(routes.list, {});
    expect(listed.find(({ id }) => id === there.session.id)).toMatchObject({ device: 'Other/1.0', current: false });
    expect(listed.find(({ id }) => id === here.session.id)).toMatchObject({ current: true });
    const stream = await openStream(`${daemon.url}/api/projects/${daemon.projectId}/events/stream`, {
      Authorization: `Bearer ${there.token}`,
    });
    const params = { consoleSessionId: there.session.id };
    await clientOf(here.token).call(routes.revoke, { params });
    await stream.ended;
    expect(await mayCall(there.token)).toBe(false);
    expect(await renew(there.cookie)).toMatchObject(refusal(401, 'console_session_invalid'));
    await expect(clientOf(here.token).call(routes.revoke, { params })).rejects.toMatchObject({
      code: 'console_session_not_found',
    });
  });

  it('happens by logging out, too, and every token of the session ends', async () => {
    const { cookie, token } = await open();
    const next = await renew(cookie);
    await clientOf(next.body.accessToken).call(accountRoutes.logout, {});
    expect([await mayCall(token), await mayCall(next.body.accessToken)]).toEqual([false, false]);
    expect(await renew(next.cookie)).toMatchObject(refusal(401, 'console_session_invalid'));
  });
});

describe('POST /api/auth/console/codes', () => {
  const code = async (token: string) => (await clientOf(token).call(routes.createCode, {})).code;
  const redeem = (text: string) => post(routes.redeemCode.path, { body: { code: text } });

  it('opens the console once, as whoever made the code', async () => {
    const made = await code(await login());
    const answers = await Promise.all([redeem(made), redeem(made)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 401]);
    const opened = answers.find(({ status }) => status === 201);
    expect(opened?.body.user.email).toBe(administrator.email);
    expect((await renew(opened?.cookie ?? '')).status).toBe(201);
    expect(await redeem(made)).toMatchObject(refusal(401, 'console_code_invalid'));
  });

  it('is good for a minute, while the login that made it lasts, and is no token', async () => {
    const token = await login();
    const [late, orphan] = [await code(token), await code(token)];
    expect(await mayCall(orphan)).toBe(false);
    expect(await redeem(token)).toMatchObject(refusal(401, 'console_code_invalid'));
    await clientOf(token).call(accountRoutes.logout, {});
    expect(await redeem(orphan)).toMatchObject(refusal(401, 'console_code_invalid'));
    pass(61);
    expect(await redeem(late)).toMatchObject(refusal(401, 'console_code_invalid'));
  });
});
