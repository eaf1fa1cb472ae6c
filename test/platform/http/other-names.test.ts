/** Ids of people and rooms by each of their names: `externalUserId`, `userId` and `user_id`, `externalRoomId` and `roomId`. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDaemon, type TestDaemon } from '../../support/daemon.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon?.stop());

const ask = async (path: string, sent?: object) => {
  const headers = {
    'X-API-Key': daemon.apiKey,
    'X-Project-Id': daemon.projectId,
    ...(sent === undefined ? {} : { 'Content-Type': 'application/json' }),
  };
  const init = sent === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(sent) };
  const url = `${daemon.url}${path.startsWith('/') ? path : `/api/projects/${daemon.projectId}/${path}`}`;
  const response = await fetch(url, init);
  return { status: response.status, body: await response.json() };
};

describe.each(['externalUserId', 'userId', 'user_id'])('a person by %s', (name) => {
  const user = `u-${name}`;

  it('gets a room token, a sanction and its list, and has events counted', async () => {
    expect(await ask('token', { externalRoomId: 'raid', [name]: user })).toMatchObject({
      status: 201,
      body: { roomId: 'raid' },
    });
    const sanction = { type: 'warn', reason: 'shouting' };
    expect(await ask('sanctions', { ...sanction, [name]: user })).toMatchObject({
      status: 201,
      body: { externalUserId: user },
    });
    const batch = { items: [{ ...sanction, [name]: user }] };
    expect(await ask('sanctions/batch', batch)).toMatchObject({ status: 201, body: { created: 1 } });
    expect(await ask(`sanctions?${name}=${user}`)).toMatchObject({ body: { total: 2 } });

    const event = { event_name: 'kill-enemy', metadata: { amount: 1 }, [name]: user };
    expect(await ask('/api/v1/events', event)).toMatchObject({ status: 200 });
    expect(await ask('/api/v1/events/batch', { events: [event] })).toMatchObject({
      body: { results: [{ status: 200 }] },
    });
  });

  it('is refused where another name says somebody else', async () => {
    const both = { type: 'warn', externalUserId: 'ann', userId: 'ann', user_id: 'ann', [name]: user };
    expect(await ask('sanctions', both)).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  });
});

it.each(['externalRoomId', 'roomId'])('a session is of a room by %s', async (name) => {
  const session = { title: 'Raid', autoStart: false, [name]: `r-${name}` };
  expect(await ask('sessions', session)).toMatchObject({ status: 201, body: { externalRoomId: `r-${name}` } });
  expect(await ask(`sessions?${name}=r-${name}`)).toMatchObject({ body: [{ externalRoomId: `r-${name}` }] });
});
