/** One-time tickets for event streams, as a browser's EventSource uses them. */
import { once } from 'node:events';
import http from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { ErrorBody } from '../../src/contract/errors.js';
import { apiKeyRoutes } from '../../src/contract/identity/api-keys.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { type CreateStreamTicket, streamTicketRoutes } from '../../src/contract/streams/stream-tickets.js';
import { chromiumPath, Visitor } from '../support/browser.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { eventually } from '../support/eventually.js';
import { openStream } from '../support/stream.js';

let daemon: TestDaemon;
let ahead = 0;
beforeAll(async () => {
  daemon = await startDaemon({ now: () => new Date(Date.now() + ahead) });
});
afterAll(() => daemon.stop());

const params = () => ({ projectId: daemon.projectId });
const join = (externalUserId: string) =>
  daemon.client.call(participantRoutes.create, { params: params(), body: { externalUserId } });
const ticketFor = (body: CreateStreamTicket = {}, client = daemon.client) =>
  client.call(streamTicketRoutes.createForProject, { params: params(), body });
const codeOf = async (url: string): Promise<string> => {
  const response = await fetch(url);
  if (response.ok) {
    await response.body?.cancel();
    return 'open';
  }
  return `${response.status} ${ErrorBody.parse(await response.json()).code}`;
};
const refused = '401 stream_ticket_invalid';
const newKey = () => daemon.admin.call(apiKeyRoutes.create, { body: { name: 'x', scopes: ['events:read'] } });

describe('a ticket for an event stream', () => {
  it('opens the stream with its filters, without a credential, and only once', async () => {
    const { url } = await ticketFor({ types: 'participant.*' });
    const stream = await openStream(url, {});
    expect(stream.status).toBe(200);
    await daemon.client.call(projectRoutes.list, {});
    await join('by-ticket');
    expect((await stream.next()).data).toMatchObject({ payload: { data: { externalUserId: 'by-ticket' } } });
    expect(await codeOf(url)).toBe(refused);
    stream.close();
  });

  it('goes on behind an event, as an EventSource says by Last-Event-ID, or the address', async () => {
    const first = await openStream((await ticketFor()).url, {});
    await join('seen');
    const { id } = await first.next();
    first.close();
    await join('missed');
    for (const go of [
      async (url: string) => openStream(url, { 'Last-Event-ID': id ?? '' }),
      async (url: string) => openStream(`${url}&last-event-id=${id}`, {}),
    ]) {
      const stream = await go((await ticketFor()).url);
      expect((await stream.next()).data).toMatchObject({ payload: { data: { externalUserId: 'missed' } } });
      stream.close();
    }
  });

  it.each<readonly [string, (url: string) => string]>([
    ['other types', (url) => url.replace('types=sanction', 'types=participant')],
    ['a further filter', (url) => `${url}&user=somebody`],
    ['no filter', (url) => url.replace('types=sanction.*&', '')],
    ['every project', (url) => url.replace(/projects\/[^/]+\//, '')],
  ])('is refused with %s, and is used up', async (_, change) => {
    const { url } = await ticketFor({ types: 'sanction.*' });
    expect(change(url)).not.toBe(url);
    expect(await codeOf(change(url))).toBe(refused);
    expect(await codeOf(url)).toBe(refused);
  });

  it.each(['sanction.* , session.updated', '*', 'sanction.created,', '.x-_', 'San*', 'san*ction', 'a\n*'])(
    'has the filter of types that a stream takes, and no other: %j',
    async (types) => {
      const headers = { 'X-API-Key': daemon.apiKey };
      const response = await fetch(`${daemon.url}/api/events/stream?types=${encodeURIComponent(types)}`, { headers });
      await response.body?.cancel();
      const opened = await ticketFor({ types }).then(
        ({ url }) => codeOf(url),
        ({ code }) => code,
      );
      expect(opened).toBe(response.ok ? 'open' : 'validation_failed');
    },
  );

  it('follows every project where it was made for that', async () => {
    const { url } = await daemon.client.call(streamTicketRoutes.createForAll, { body: {} });
    expect(new URL(url).pathname).toBe('/api/events/stream');
    expect(await codeOf(url)).toBe('open');
  });

  it('is good for 30 seconds', async () => {
    const [early, late] = [await ticketFor(), await ticketFor()];
    ahead = 25_000;
    expect(await codeOf(early.url)).toBe('open');
    ahead = 31_000;
    expect(await codeOf(late.url)).toBe(refused);
    ahead = 0;
  });

  it('is for the address that asked for it, unless another is named, or any', async () => {
    const from = async (localAddress: string, url: string): Promise<number> => {
      const request = http.get(url, { localAddress });
      const [response] = await once(request, 'response');
      request.on('error', () => {}).destroy();
      return response.statusCode;
    };
    expect(await from('127.0.0.2', (await ticketFor()).url)).toBe(401);
    expect(await from('127.0.0.2', (await ticketFor({ address: '127.0.0.2' })).url)).toBe(200);
    expect(await from('127.0.0.1', (await ticketFor({ address: '127.0.0.2' })).url)).toBe(401);
    expect(await from('127.0.0.3', (await ticketFor({ address: 'any' })).url)).toBe(200);
    await expect(ticketFor({ address: 'somewhere' })).rejects.toMatchObject({ code: 'validation_failed' });
  });

  it('ends with its credential, before and after it is used', async () => {
    const { id, key } = await newKey();
    const client = new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'apiKey', key } });
    const [used, waiting] = [await ticketFor({}, client), await ticketFor({}, client)];
    const stream = await openStream(used.url, {});
    await daemon.admin.call(apiKeyRoutes.revoke, { params: { id } });
    expect(await stream.next()).toMatchObject({ event: 'stream.closed', data: { reason: 'access_gone' } });
    expect(await codeOf(waiting.url)).toBe(refused);
  });

  it('opens nothing else, and no stream beside a credential', async () => {
    const { ticket, url } = await ticketFor();
    expect(await codeOf(`${daemon.url}/api/projects?ticket=${ticket}`)).toBe('401 credential_missing');
    const response = await fetch(url, { headers: { 'X-API-Key': 'wrong' } });
    expect(response.status).toBe(401);
    expect(await codeOf(url)).toBe('open');
    expect(await codeOf(`${daemon.url}/api/events/stream?ticket=guessed`)).toBe(refused);
  });

  it('is one of 100 of a credential that wait', async () => {
    const { key } = await newKey();
    const client = new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'apiKey', key } });
    const [first] = await Promise.all(Array.from({ length: 100 }, () => ticketFor({}, client)));
    await expect(ticketFor({}, client)).rejects.toMatchObject({ code: 'rate_limited', retryAfterSeconds: 30 });
    expect(await codeOf(first?.url ?? '')).toBe('open');
    await ticketFor({}, client);
  });

  it('survives a restart of the daemon', async () => {
    const { url } = await ticketFor();
    const { pathname, search } = new URL(url);
    await daemon.restart();
    expect(await codeOf(daemon.url + pathname + search)).toBe('open');
  });
});

describe.skipIf(chromiumPath === null)('the EventSource of Chromium', { timeout: 60_000 }, () => {
  it('follows events by the address that the library returns', async () => {
    const url = await daemon.client.eventSourceUrl({ projectId: daemon.projectId, types: 'participant.*' });
    const visitor = await Visitor.come(null);
    try {
      const page = `${daemon.url}/dashboard-of-a-studio`;
      await visitor.page.route(page, (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }));
      await visitor.page.goto(page);
      await visitor.page.evaluate((address) => {
        const source = new EventSource(address);
        Object.assign(globalThis, { heard: [], state: () => source.readyState });
        source.onmessage = ({ data }) => (globalThis as unknown as { heard: string[] }).heard.push(data);
      }, url);
      const state = () => visitor.page.evaluate(() => (globalThis as unknown as { state: () => number }).state());
      await eventually(async () => expect(await state()).toBe(1));
      await join('seen by a browser');
      const heard = () => visitor.page.evaluate(() => (globalThis as unknown as { heard: string[] }).heard);
      await eventually(async () => expect(await heard()).toHaveLength(1));
      expect((await heard())[0]).toContain('seen by a browser');
    } finally {
      await visitor.go();
    }
  });
});
