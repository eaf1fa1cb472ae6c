/** One-time tickets for the event stream of a room, as a browser's EventSource uses them. */
import { once } from 'node:events';
import http from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestAccess } from '../../src/client/room/request-access.js';
import type { RoomAccess } from '../../src/client/room/room-access.js';
import { roomEventSourceUrl } from '../../src/client/room/room-event-source-url.js';
import { ErrorBody } from '../../src/contract/errors.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { roomRoutes } from '../../src/contract/rooms/rooms.js';
import { chromiumPath, Visitor } from '../support/browser.js';
import { commandLine } from '../support/cli.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { eventually } from '../support/eventually.js';
import { openStream } from '../support/stream.js';

let daemon: TestDaemon;
let ahead = 0;
beforeAll(async () => {
  daemon = await startDaemon({ now: () => new Date(Date.now() + ahead) });
});
afterAll(() => daemon.stop());
const cli = commandLine(() => ({
  ...{ EARSHOT_URL: daemon.url, EARSHOT_API_KEY: daemon.apiKey, EARSHOT_PROJECT: daemon.projectId },
}));
afterAll(() => cli.dispose());

const accessFor = (userId: string, roomId = 'hall'): Promise<RoomAccess> =>
  requestAccess(daemon.client, daemon.projectId, { roomId, userId });
const urlFor = async (userId: string, address?: string) =>
  roomEventSourceUrl(await accessFor(userId), address === undefined ? {} : { address });
const codeOf = async (url: string): Promise<string> => {
  const response = await fetch(url);
  if (!response.ok) return `${response.status} ${ErrorBody.parse(await response.json()).code}`;
  await response.body?.cancel();
  return 'open';
};
const refused = '401 stream_ticket_invalid';

describe("a ticket for a room's event stream", () => {
  it('opens the stream of its holder, without a credential, and only once', async () => {
    const url = await urlFor('ann');
    expect(new URL(url).pathname).toBe('/rooms/hall/events');
    const stream = await openStream(url, {});
    expect((await stream.next()).data).toMatchObject({ type: 'room.state', you: { externalUserId: 'ann' } });
    expect(await codeOf(url)).toBe(refused);
    stream.close();
  });

  it('opens no other room, and is used up by the attempt', async () => {
    const url = await urlFor('ann');
    expect(await codeOf(url.replace('/hall/', '/cellar/'))).toBe(refused);
    expect(await codeOf(url)).toBe(refused);
  });

  it('is good for 30 seconds', async () => {
    const [early, late] = [await urlFor('ann'), await urlFor('ann')];
    ahead = 25_000;
    expect(await codeOf(early)).toBe('open');
    ahead = 31_000;
    expect(await codeOf(late)).toBe(refused);
    ahead = 0;
  });

  it('is for the address that asked for it, unless another is named, or any', async () => {
    const from = async (localAddress: string, url: string): Promise<number> => {
      const request = http.get(url, { localAddress });
      const [response] = await once(request, 'response');
      request.on('error', () => {}).destroy();
      return response.statusCode;
    };
    expect(await from('127.0.0.2', await urlFor('ann'))).toBe(401);
    expect(await from('127.0.0.2', await urlFor('ann', '127.0.0.2'))).toBe(200);
    expect(await from('127.0.0.1', await urlFor('ann', '127.0.0.2'))).toBe(401);
    expect(await from('127.0.0.3', await urlFor('ann', 'any'))).toBe(200);
    await expect(urlFor('ann', 'somewhere')).rejects.toMatchObject({ code: 'validation_failed' });
  });

  it('ends with its room token, before and after it is used', async () => {
    const access = await accessFor('kim');
    const [used, waiting] = [await roomEventSourceUrl(access), await roomEventSourceUrl(access)];
    const stream = await openStream(used, {});
    await stream.next();
    const params = { projectId: daemon.projectId, roomId: 'hall', externalUserId: 'kim' };
    await daemon.client.call(roomRoutes.kick, { params });
    expect((await stream.next()).data).toMatchObject({ type: 'room.removed', reason: 'kicked' });
    await stream.ended;
    expect(await codeOf(waiting)).toBe('401 room_token_invalid');
    await expect(roomEventSourceUrl(access)).rejects.toMatchObject({ code: 'room_token_invalid' });
  });

  it('opens no room to somebody who has been banned meanwhile', async () => {
    const url = await urlFor('bob');
    const body = { type: 'temp_ban', duration: 60, externalUserId: 'bob', reason: 'cheating' } as const;
    await daemon.client.call(sanctionRoutes.create, { params: { projectId: daemon.projectId }, body });
    expect(await codeOf(url)).toBe('403 participant_banned');
  });

  it('opens nothing else, and stays unused beside a credential', async () => {
    const url = await urlFor('ann');
    const { search } = new URL(url);
    expect((await fetch(`${daemon.url}/rooms/hall/whep${search}`, { method: 'POST' })).status).toBe(401);
    expect((await fetch(url, { headers: { Authorization: 'Bearer wrong' } })).status).toBe(401);
    expect(await codeOf(url)).toBe('open');
    expect(await codeOf(`${daemon.url}/rooms/hall/events?ticket=guessed`)).toBe(refused);
  });

  it('is one of eight of a token that wait', async () => {
    const access = await accessFor('eve');
    const urls = await Promise.all(Array.from({ length: 8 }, () => roomEventSourceUrl(access)));
    await expect(roomEventSourceUrl(access)).rejects.toMatchObject({ code: 'rate_limited', retryAfterSeconds: 30 });
    expect(await codeOf(urls[0] ?? '')).toBe('open');
    await roomEventSourceUrl(access);
  });

  it('is printed by a command', async () => {
    const { code, stdout } = await cli.run(['rooms', 'ticket', 'hall', '--user', 'ann']);
    expect(code).toBe(0);
    expect(await codeOf(stdout.trim())).toBe('open');
    const { url } = await cli.json<{ url: string }>(['rooms', 'ticket', 'hall', '--address', '127.0.0.2']);
    expect(await codeOf(url)).toBe(refused);
  });

  it('is made by a body of JSON with a valid address or none', async () => {
    const { token } = await accessFor('fay');
    const make = async (body: string, type = 'application/json') => {
      const headers = { Authorization: `Bearer ${token}`, 'Content-Type': type };
      return (await fetch(`${daemon.url}/rooms/hall/events/stream-tickets`, { method: 'POST', headers, body })).status;
    };
    expect([await make('{}'), await make('{"address":null}')]).toEqual([201, 201]);
    expect([await make('{"address":7}'), await make('{'), await make('')]).toEqual([400, 400, 400]);
    expect(await make('address=any', 'application/x-www-form-urlencoded')).toBe(415);
    for (const path of ['events/stream-tickets', 'whip', 'whep']) {
      const headers = {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': 'one',
      };
      const kept = await fetch(`${daemon.url}/rooms/hall/${path}`, { method: 'POST', headers, body: '{}' });
      expect([kept.status, await kept.json()]).toMatchObject([400, { code: 'idempotency_key_refused' }]);
    }
    const got = await fetch(`${daemon.url}/rooms/hall/events/stream-tickets`);
    expect([got.status, got.headers.get('allow')]).toEqual([405, 'POST']);
  });
});

describe.skipIf(chromiumPath === null)('the EventSource of Chromium', { timeout: 60_000 }, () => {
  it('follows a room by the address that the library returns', async () => {
    const url = await urlFor('ann');
    const visitor = await Visitor.come(null);
    try {
      const page = `${daemon.url}/page-of-a-game`;
      await visitor.page.route(page, (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }));
      await visitor.page.goto(page);
      const state = visitor.page.evaluate(
        (address) =>
          new Promise<string>((resolve) => {
            const source = new EventSource(address);
            source.addEventListener('room.state', (event) => resolve(String(Reflect.get(event, 'data'))));
          }),
        url,
      );
      await eventually(async () => expect(JSON.parse(await state)).toMatchObject({ roomId: 'hall' }));
    } finally {
      await visitor.go();
    }
  });
});
