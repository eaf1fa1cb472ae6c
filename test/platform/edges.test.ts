/** Times, names, links and mails at their edges: refused with what is wrong, and never a fault of the daemon. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plainName } from '../../daemon/platform/mail/plain-name.js';
import { isVisible } from '../../src/contract/common.js';
import { UserInfoRequest } from '../../src/contract/gameplay/gameplay.js';
import { AcceptUserInvitationRequest } from '../../src/contract/identity/accounts.js';
import { GenerateProjectTokenRequest } from '../../src/contract/rooms/tokens.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

const send = async (method: 'GET' | 'POST', path: string, body?: object) => {
  const response = await fetch(`${daemon.url}/api/projects/${daemon.projectId}${path}`, {
    method,
    headers: { 'X-API-Key': daemon.apiKey, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
};

describe('a time', () => {
  it.each(['0000-01-01T00:00:00Z', '0001-01-01T00:00:00+01:00', '9999-12-31T23:59:59-01:00'])(
    '%s is refused: no database holds it',
    async (time) => {
      const mute = { type: 'mute', externalUserId: 'u1', startAt: time };
      expect(await send('POST', '/sanctions', mute)).toMatchObject({ status: 400 });
      const gathering = { name: 'Evening', startsAt: time };
      expect(await send('POST', '/gatherings', gathering)).toMatchObject({ status: 400 });
      expect(await send('GET', `/sanctions?since=${encodeURIComponent(time)}`)).toMatchObject({ status: 400 });
      expect(await send('GET', `/events/stream?since=${encodeURIComponent(time)}`)).toMatchObject({ status: 400 });
    },
  );

  it.each(['0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z'])('%s is the last that is taken', async (time) => {
    expect((await send('GET', `/sanctions?since=${encodeURIComponent(time)}`)).status).toBe(200);
  });

  it('that a duration would lead beyond year 9999 is refused', async () => {
    const mute = { type: 'mute', externalUserId: 'u1', startAt: '9999-12-31T23:59:00Z', duration: 3_600 };
    expect(await send('POST', '/sanctions', mute)).toMatchObject({ status: 400 });
  });
});

it.each(['01a1fdfa-92b4-1d4b-b9b9-5d8ae6086a44', '00000000-0000-0000-0000-000000000000'])(
  'a stream since %s, which no event can have, begins as after any unknown one',
  async (id) => {
    const url = `${daemon.url}/api/projects/${daemon.projectId}/events/stream?since=${id}`;
    const response = await fetch(url, { headers: { 'X-API-Key': daemon.apiKey } });
    expect(response.status).toBe(200);
    await response.body?.cancel();
  },
);

describe('a name', () => {
  it.each(['\u3164', '\u200b\u200d', '\u2800', '\u2066\u2069', '\u0301'])('of %j alone is refused', async (name) => {
    expect(isVisible(name)).toBe(false);
    const person = { externalUserId: 'u2', displayName: name };
    expect(await send('POST', '/participants', person)).toMatchObject({ status: 400 });
    expect(await send('POST', '/gatherings', { name })).toMatchObject({ status: 400 });
    const token = { roomId: 'hall', userId: 'u2', displayName: name };
    expect(await send('POST', '/token', token)).toMatchObject({
      status: 400,
      text: expect.stringContaining('invisible'),
    });
    expect(GenerateProjectTokenRequest.safeParse(token).success).toBe(false);
    expect(UserInfoRequest.safeParse({ username: name }).success).toBe(false);
    expect(AcceptUserInvitationRequest.safeParse({ token: 't', displayName: name }).success).toBe(false);
  });

  it.each(['A', '🙂', '日本', 'عربي', '?!'])('such as %s is taken', (name) => expect(isVisible(name)).toBe(true));

  it('is a part of a subject, and no head of an email', () => {
    expect(plainName('Raid\r\nBcc: all@example.com')).toBe('Raid Bcc all@example.com');
    expect(plainName('\u202eevil\u2066 Subject : x\u2028y')).toBe('evil Subject x y');
    expect(plainName('x'.repeat(200))).toHaveLength(100);
  });
});

it.each(['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd'])(
  'the link %s is refused in invitations',
  async (invitationUrl) => {
    expect(await send('POST', '/gatherings', { name: 'Evening', invitationUrl })).toMatchObject({ status: 400 });
  },
);
