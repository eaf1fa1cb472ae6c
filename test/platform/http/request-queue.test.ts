/** Requests are answered in turn by network and credential, over real connections from addresses of the loopback network. */
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { RequestQueue } from '../../../daemon/platform/http/request-queue.js';
import { connectionArrived } from '../../../daemon/platform/turns/arrivals.js';

const servers: http.Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

/** A server that keeps requests back until `open`, and notes in which order they are then served. */
async function serving(work: () => Promise<void> = async () => {}) {
  const served: string[] = [];
  let arrived = 0;
  const queue = new RequestQueue(({ socket }) => String(socket.remoteAddress));
  queue.open();
  const waiting: (() => void)[] = [];
  const server = http.createServer((request, response) => {
    arrived += 1;
    const serve = () => {
      served.push(String(request.headers['x-name'] ?? request.url));
      void work();
      response.end();
    };
    waiting.push(() => queue.enqueue(request, serve));
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const ask = (name: string, localAddress: string, authorization: string, path = '/') => {
    const headers = { 'x-name': name, authorization };
    const request = http.get({ port, path, localAddress, host: '127.0.0.1', headers, agent: false });
    request.on('error', () => {});
    return { request, answered: once(request, 'response').catch(() => null) };
  };
  return {
    served,
    ask,
    arrived: async (count: number) => {
      while (arrived < count) await new Promise((resolve) => setTimeout(resolve, 5));
    },
    open: () => {
      for (const take of waiting.splice(0)) take();
    },
  };
}

describe('requests that wait', () => {
  it('are served one network after the other, and within a network one credential after the other', async () => {
    const { served, ask, arrived, open } = await serving();
    const answers = [];
    const order: (readonly [name: string, address: string, authorization: string])[] = [
      ...['flood 1', 'flood 2', 'flood 3', 'flood 4'].map((name) => [name, '127.0.0.2', 'Bearer one'] as const),
      ['same network', '127.0.0.2', 'Bearer two'] as const,
      ['another network', '127.0.0.3', 'Bearer three'] as const,
    ];
    for (const [index, one] of order.entries()) {
      answers.push(ask(...one).answered);
      await arrived(index + 1);
    }
    open();
    await Promise.all(answers);
    expect(served).toEqual(['flood 1', 'another network', 'same network', 'flood 2', 'flood 3', 'flood 4']);
  });

  it('let the question whether the daemon lives pass', async () => {
    const { served, ask, arrived, open } = await serving();
    const answers = [ask('first', '127.0.0.2', 'x').answered];
    await arrived(1);
    answers.push(ask('health', '127.0.0.2', 'x', '/health/live').answered);
    await arrived(2);
    open();
    await Promise.all(answers);
    expect(served).toEqual(['health', 'first']);
  });

  it('are left out when their client has gone', async () => {
    const { served, ask, arrived, open } = await serving();
    const gone = ask('gone', '127.0.0.2', 'x');
    await arrived(1);
    const { answered } = ask('there', '127.0.0.2', 'x');
    await arrived(2);
    const closed = new Promise((resolve) => gone.request.once('close', resolve));
    gone.request.destroy();
    await closed;
    await new Promise((resolve) => setTimeout(resolve, 50));
    open();
    await answered;
    expect(served).toEqual(['there']);
  });

  const requests = 12;
  it.each([
    ['one while others connect, who are accepted once in each turn', true, requests],
    ['several while nobody connects', false, requests - 1],
  ])('begin in a turn of the event loop, where they work for long: %s', async (_, connect, turns) => {
    const begunIn: number[] = [];
    let turn = 0;
    let isOver = false;
    const nextTurn = () => {
      turn += 1;
      if (connect) connectionArrived();
      if (!isOver) setImmediate(nextTurn);
    };
    const { ask, arrived, open } = await serving(async () => {
      begunIn.push(turn);
      await Promise.resolve(); // as with SQLite: nearly all the work is done in microtasks
      for (const began = performance.now(); performance.now() - began < 2; );
    });
    const answers = Array.from({ length: requests }, (_, n) => ask(`${n}`, '127.0.0.2', `Bearer ${n}`).answered);
    await arrived(requests);
    nextTurn();
    open();
    await Promise.all(answers);
    isOver = true;
    expect(begunIn).toHaveLength(requests);
    if (connect) expect(new Set(begunIn).size).toBe(turns);
    else expect(new Set(begunIn).size).toBeLessThanOrEqual(turns);
  });
});
