/** Stands before a daemon whose clock a test has set: Node.js writes the header Date by the clock of this machine. */
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ClockRelay {
  readonly url: string;
  stop(): void;
}

export async function startClockRelay(daemonUrl: string, now: () => Date): Promise<ClockRelay> {
  const relay = createServer((incoming, outgoing) => {
    const { method, headers, url = '' } = incoming;
    const through = request(`${daemonUrl}${url}`, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, { ...answer.headers, date: now().toUTCString() });
      answer.pipe(outgoing);
    });
    incoming.pipe(through);
  });
  await once(relay.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(relay.address() as AddressInfo).port}`,
    stop: () => {
      relay.closeAllConnections();
      relay.close();
    },
  };
}
