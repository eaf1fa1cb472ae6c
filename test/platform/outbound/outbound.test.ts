import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { BlockedAddress, Outbound } from '../../../daemon/platform/outbound/outbound.js';
import { type Receiver, startReceiver } from '../../support/receiver.js';

let receiver: Receiver;
let outbound: Outbound | undefined;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterEach(() => outbound?.close());
afterAll(() => receiver.stop());

const post = (url: string, ...networks: string[]) => {
  outbound = new Outbound(networks);
  return outbound.post(url, {}, '{}');
};

it('interrupts one call and no other', async () => {
  const silent = await startReceiver();
  silent.behave = ({ body }) => ({ hang: body === 'first' });
  const calls = new Outbound(['127.0.0.0/8']);
  const interruption = new AbortController();
  const reading = { bytesMax: 100, withinMs: 100 };
  const first = calls.postForStatus(silent.url, {}, 'first', reading, interruption.signal);
  await silent.waitFor(1);
  interruption.abort();
  await expect(first).rejects.toThrow('aborted');
  const second = calls.postForStatus(silent.url, {}, 'second', reading, new AbortController().signal);
  expect(await second).toMatchObject({ status: 204 });
  calls.close();
  await silent.stop();
});

describe('an address that a project sets', () => {
  it.each([
    'http://127.0.0.1/',
    'http://2130706433/', // 127.0.0.1 as one number
    'http://0x7f.1/',
    'http://localhost/',
    'http://0.0.0.0/',
    'http://10.1.2.3/',
    'http://172.16.0.1/',
    'http://192.168.1.1/',
    'http://100.64.0.1/', // carrier-grade NAT
    'http://169.254.169.254/latest/meta-data/',
    'http://224.0.0.1/',
    'http://255.255.255.255/',
    'http://[::1]/',
    'http://[::]/',
    'http://[fe80::1]/',
    'http://[fc00::1]/',
    'http://[::ffff:127.0.0.1]/', // mapped
    'http://[64:ff9b::7f00:1]/', // NAT64
    'http://[2002:7f00:1::]/', // 6to4
    'http://user:secret@192.0.2.1/',
    'file:///etc/passwd',
    'gopher://192.0.2.1/',
  ])('may not be %s', async (url) => {
    await expect(post(url)).rejects.toBeInstanceOf(BlockedAddress);
  });

  it.each(['127.0.0.0/8', '127.0.0.1'])('may lie in a network that the operator opened: %s', async (network) => {
    expect((await post(receiver.url, network)).status).toBe(204);
  });

  it('may be a name whose addresses lie there', async () => {
    const url = receiver.url.replace('127.0.0.1', 'localhost');
    expect((await post(url, '127.0.0.0/8', '::1')).status).toBe(204);
  });

  it('has its time, in which its name is looked up too', async () => {
    outbound = new Outbound(['127.0.0.0/8'], () => new Promise(() => {}), 100);
    await expect(outbound.post('http://slow.example/', {}, '{}')).rejects.toThrow('timed out: no answer within 0.1 s');
    receiver.behave = () => ({ hang: true });
    outbound = new Outbound(['127.0.0.0/8'], undefined, 100);
    await expect(outbound.post(receiver.url, {}, '{}')).rejects.toThrow('timed out: no answer within 0.1 s');
    receiver.behave = null;
  });

  it('stays closed when another network was opened', async () => {
    await expect(post(receiver.url, '10.0.0.0/8')).rejects.toThrow(/^blocked_address/);
  });
});

describe('an answer', () => {
  it('that redirects is not followed', async () => {
    receiver.answer = 307;
    const before = receiver.received.length;
    expect((await post(receiver.url, '127.0.0.0/8')).status).toBe(307);
    expect(receiver.received.length).toBe(before + 1);
  });
});

describe('a kept connection', () => {
  /** Hangs up on each request, or answers the first of each connection. */
  const hangingUp = async (answersFirst: boolean) => {
    const asked = new Map<unknown, number>();
    const server = http.createServer((request, response) => {
      const times = (asked.get(request.socket) ?? 0) + 1;
      asked.set(request.socket, times);
      if (answersFirst && times === 1) response.writeHead(204).end();
      else request.socket.destroy();
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    return { url: `http://127.0.0.1:${port}/`, connections: () => asked.size, stop: () => server.close() };
  };

  it('that the receiver has given up meanwhile is no failure: the next one is taken', async () => {
    const receiver = await hangingUp(true);
    expect((await post(receiver.url, '127.0.0.1')).status).toBe(204);
    expect((await outbound?.post(receiver.url, {}, '{}'))?.status).toBe(204);
    expect(receiver.connections()).toBe(2);
    receiver.stop();
  });

  it('whose receiver takes requests and breaks is not followed by the next kept one: each request arrives twice at most', async () => {
    const kept = 4;
    let answering = true;
    const arrived = new Map<string, number>();
    const held: http.ServerResponse[] = [];
    const server = http.createServer((request, response) => {
      const name = request.url ?? '';
      arrived.set(name, (arrived.get(name) ?? 0) + 1);
      if (!answering) return void request.socket.destroy();
      held.push(response);
      if (held.length === kept) for (const one of held) one.writeHead(204).end();
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const calls = new Outbound(['127.0.0.1']);
    const limits = { maxBytes: 1_000, timeoutMs: 5_000 };
    await Promise.all(Array.from({ length: kept }, () => calls.post(`${url}/warm`, {}, '{}')));
    answering = false;
    const sending = { headers: {}, body: null };
    const broken = { code: 'ECONNRESET' };
    await expect(calls.post(`${url}/webhook`, {}, '{}')).rejects.toMatchObject(broken);
    await expect(calls.request(`${url}/read`, { ...sending, method: 'GET' }, limits)).rejects.toMatchObject(broken);
    for (const method of ['POST', 'PUT', 'DELETE'])
      await expect(calls.request(`${url}/${method}`, { ...sending, method }, limits)).rejects.toMatchObject(broken);
    expect(Object.fromEntries(arrived)).toEqual({
      '/warm': kept,
      '/webhook': 2,
      '/read': 2,
      '/POST': 1,
      '/PUT': 1,
      '/DELETE': 1,
    });
    calls.close();
    server.close();
  });

  it('is not made anew for a receiver that hangs up on a fresh one', async () => {
    const receiver = await hangingUp(false);
    await expect(post(receiver.url, '127.0.0.1')).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(receiver.connections()).toBe(1);
    receiver.stop();
  });

  it('is closed when no call has used it for a while', async () => {
    const server = http.createServer((_, response) => response.writeHead(204).end());
    server.keepAliveTimeout = 0; // the server keeps it for ever
    const closed = new Promise((resolve) => server.once('connection', (socket) => socket.once('close', resolve)));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    outbound = new Outbound(['127.0.0.1'], undefined, undefined, 50);
    expect((await outbound.post(`http://127.0.0.1:${port}/`, {}, '{}')).status).toBe(204);
    await closed;
    server.close();
  });
});
