import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { ApiError, UnreadableStream } from '../../src/client/errors.js';
import { EventStream } from '../../src/client/event-stream.js';
import type { EventStreamOptions, StreamNotice } from '../../src/client/stream-notice.js';
import { apiKeyRoutes } from '../../src/contract/identity/api-keys.js';
import { Participant, participantRoutes } from '../../src/contract/people/participants.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { eventually } from '../support/eventually.js';
import { Relay } from '../support/relay.js';

let daemon: TestDaemon;
let relay: Relay;
beforeAll(async () => {
  daemon = await startDaemon();
  relay = new Relay(() => daemon.url);
  await relay.start();
});
afterAll(async () => {
  relay.stop();
  await daemon.stop();
});

const join = (externalUserId: string) =>
  daemon.client.call(participantRoutes.create, { params: { projectId: daemon.projectId }, body: { externalUserId } });
const through = (url: string, key = daemon.apiKey) =>
  new EarshotClient({ baseUrl: url, credential: { kind: 'apiKey', key } });

/** Takes news one by one; people by their external id. */
function follow(options: Partial<EventStreamOptions> = {}, client = through(relay.url)) {
  const stream = new EventStream(client, { projectId: daemon.projectId, types: 'participant.*', ...options });
  const news = stream[Symbol.asyncIterator]();
  const next = async (): Promise<StreamNotice> => {
    const { value } = await news.next();
    if (value === undefined) throw new Error('The stream has ended.');
    return value;
  };
  const until = async <K extends StreamNotice['kind']>(kind: K): Promise<Extract<StreamNotice, { kind: K }>> => {
    for (;;) {
      const one = await next();
      if (one.kind === kind) return one as Extract<StreamNotice, { kind: K }>;
    }
  };
  const person = async () => Participant.parse((await until('event')).event.payload.data).externalUserId;
  return { next, until, person, close: () => stream.close() };
}

describe('an event stream', () => {
  it('goes on behind the last event when it is cut, and says that it was', async () => {
    const stream = follow();
    expect(await stream.next()).toEqual({ kind: 'connected' });
    await join('one');
    expect(await stream.person()).toBe('one');
    relay.cut();
    await join('two');
    expect(await stream.next()).toMatchObject({ kind: 'lost', retryInMs: expect.any(Number) });
    expect(await stream.next()).toEqual({ kind: 'connected' });
    expect(await stream.person()).toBe('two');
    await join('three');
    expect(await stream.person()).toBe('three');
    stream.close();
  });

  it('loses nothing when it is cut before its first event', async () => {
    const stream = follow();
    await stream.until('connected');
    relay.cut();
    await join('unseen');
    expect(await stream.person()).toBe('unseen');
    stream.close();
  });

  it('comes back after the daemon was started again', { timeout: 60_000 }, async () => {
    const stream = follow();
    await stream.until('connected');
    await join('before');
    expect(await stream.person()).toBe('before');
    await daemon.restart();
    await join('after');
    expect(await stream.person()).toBe('after');
    stream.close();
  });

  it('tells of a gap', async () => {
    const unknown = uuidv7();
    const stream = follow({ since: unknown });
    expect(await stream.until('gap')).toMatchObject({ lastEventId: unknown });
    stream.close();
  });

  it('ends with the refusal when its key is revoked', async () => {
    const { id, key } = await daemon.admin.call(apiKeyRoutes.create, { body: { name: 'x', scopes: ['events:read'] } });
    const stream = follow({}, through(relay.url, key));
    await stream.until('connected');
    await daemon.admin.call(apiKeyRoutes.revoke, { params: { id } });
    expect(await stream.until('lost')).toMatchObject({ reason: expect.stringContaining('Log in again') });
    const refusal = await stream.until('event').catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(ApiError);
    expect(refusal).toMatchObject({ status: 401 });
  });

  it('tries again while nobody answers, and ends when it is closed', async () => {
    const stream = follow({}, through('http://127.0.0.1:9'));
    expect(await stream.next()).toMatchObject({ kind: 'lost', reason: expect.stringContaining('No daemon answers') });
    stream.close();
    await expect(stream.next()).rejects.toThrow('The stream has ended.');
  });
});

describe('an event stream from something that sends what it likes', () => {
  const envelope = (id: string) => ({
    ...{ id, type: 'test.happened', source: 'cortex:api', tenantId: 't', resourceId: 'test:1' },
    ...{ timestamp: '2026-01-01T00:00:00.000Z', payload: { action: 'occurred', data: null } },
  });
  const serve = async (write: (lastEventId: string | null) => string) => {
    let left = 0;
    const server = createServer((request, response) => {
      response.on('close', () => {
        left += 1;
      });
      const query = new URL(request.url ?? '', 'http://localhost').searchParams;
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.write(write(query.get('last-event-id')));
    }).listen(0, '127.0.0.1');
    await eventually(() => expect(server.listening).toBe(true));
    const stop = () => {
      server.closeAllConnections();
      server.close();
    };
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, left: () => left, stop };
  };

  it('gets every event in order, also more than it holds at once', { timeout: 60_000 }, async () => {
    const count = 10_500;
    const server = await serve((lastEventId) => {
      const rest = Array.from({ length: count }, (_, index) => index).slice(
        lastEventId === null ? 0 : Number(lastEventId) + 1,
      );
      return rest.map((id) => `id: ${id}\ndata: ${JSON.stringify(envelope(String(id)))}\n\n`).join('');
    });
    const stream = follow({}, through(server.url));
    await stream.until('connected');
    await eventually(() => expect(server.left()).toBe(1), 30_000);
    for (let index = 0; index < count; index += 1) expect((await stream.until('event')).event.id).toBe(String(index));
    stream.close();
    server.stop();
  });

  it('ends when it cannot be understood', async () => {
    const server = await serve(() => 'data: {"no": "envelope"}\n\n');
    const stream = follow({}, through(server.url));
    await expect(stream.until('event')).rejects.toThrow(UnreadableStream);
    server.stop();
  });
});
