/** New connections are served in turn by network, over real connections from addresses of the loopback network. */
import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { AdmissionQueue, serveInTurn } from '../../../daemon/platform/http/admission-queue.js';
import { connectionArrived } from '../../../daemon/platform/turns/arrivals.js';

const sockets: net.Socket[] = [];
const servers: http.Server[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

/** A server that notes from which addresses it accepts connections, and from which it serves them. */
async function serving(refuses: (address: string) => boolean = () => false) {
  const accepted: string[] = [];
  const served: string[] = [];
  const server = http.createServer((request, response) => response.end(request.url));
  servers.push(server);
  server.on('connection', (socket: net.Socket) => served.push(String(socket.remoteAddress)));
  serveInTurn(server, (socket) => {
    const address = String(socket.remoteAddress);
    accepted.push(address);
    if (!refuses(address)) return address;
    socket.destroy();
    return null;
  });
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1_024 });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const connect = (localAddress: string) => {
    const socket = net.connect({ port, host: '127.0.0.1', localAddress });
    sockets.push(socket.on('error', () => {}));
    return socket;
  };
  const until = async (all: readonly string[], count: number) => {
    while (all.length < count) await sleep(5);
  };
  return { accepted, served, connect, until };
}

describe('new connections', () => {
  it('of a network are served next but one, however many of another one wait', async () => {
    const order: string[] = [];
    const names = new Map<net.Socket, string>();
    const queue = new AdmissionQueue((socket) => order.push(names.get(socket) ?? ''));
    const arrive = (network: string, name: string) => {
      const socket = new net.Socket();
      names.set(socket, name);
      queue.enqueue(network, socket);
    };
    for (let opened = 0; opened < 1_500; opened += 1) arrive('one', `one ${opened}`);
    arrive('other', 'other');
    while (order.length < 1_501) await sleep(1);
    expect(order.slice(0, 3)).toEqual(['one 0', 'other', 'one 1']);
  });

  it('are served for a moment now and then while others arrive in every turn of the event loop', async () => {
    let served = 0;
    const spend = () => {
      const until = performance.now() + 0.1;
      while (performance.now() < until);
      served += 1;
    };
    const queue = new AdmissionQueue(spend);
    for (let opened = 0; opened < 1_500; opened += 1) queue.enqueue('one', new net.Socket());
    const turns: number[] = [];
    for (const began = performance.now(); performance.now() - began < 60; ) {
      connectionArrived();
      const before = served;
      await nextTurn();
      turns.push(served - before);
    }
    expect(served).toBeGreaterThan(0);
    expect(served).toBeLessThan(200);
    expect(turns.filter((count) => count === 0).length).toBeGreaterThan(turns.length / 2);
  });

  it('that have sent their request meanwhile are answered', async () => {
    const { connect } = await serving();
    const asked = Array.from({ length: 100 }, (_, n) => {
      const socket = connect('127.0.0.2');
      socket.write(`GET /${n} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      let text = '';
      socket.on('data', (bytes) => {
        text += bytes;
      });
      return once(socket, 'close').then(() => text.endsWith(`/${n}`));
    });
    expect(await Promise.all(asked)).toEqual(asked.map(() => true));
  });

  it('that were refused, or have ended while they waited, are not served', async () => {
    const { accepted, served, connect, until } = await serving((address) => address === '127.0.0.2');
    for (let opened = 0; opened < 10; opened += 1) connect('127.0.0.2');
    await until(accepted, 10);
    connect('127.0.0.3');
    await until(served, 1);
    expect(served).toEqual(['127.0.0.3']);
  });
});
