/** One connection of an event stream behind a proxy that keeps answers back until they end. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { StreamConnection } from '../../src/client/stream-connection.js';
import { byFetch } from '../../src/client/transport.js';

let proxy: Server;
let dropped: Promise<void>;
beforeAll(async () => {
  proxy = createServer();
  dropped = new Promise((resolve) => proxy.on('request', (request) => void request.socket.once('close', resolve)));
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  proxy.closeAllConnections();
  proxy.close();
});

it('is given up when its head does not come, and says what a proxy has to do', async () => {
  const url = new URL(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}`);
  const open = (signal: AbortSignal) => byFetch(url, { method: 'GET', headers: {}, signal });
  const arrivals = [];
  for await (const arrival of new StreamConnection(url.href, open, new AbortController().signal, 100))
    arrivals.push(arrival);
  expect(arrivals).toMatchObject([{ kind: 'lost', error: { name: 'StreamNotPassed' } }]);
  expect(arrivals[0]).toHaveProperty('error.message', expect.stringContaining('proxy_buffering off'));
  await dropped;
});
