/** A server of event streams that carry two events and, between and after them, heartbeats, as the daemon writes them. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SseWriter } from '../../daemon/platform/http/sse-writer.js';

const event = (id: string): string => `id: ${id}\ndata: "${id}"\n\n`;
/** Data of the events, as clients report it. */
export const sent = ['"a"', '"b"'];
export const heartbeats = 4;

/** Answers each request with the stream, which then ends. */
export async function startHeartbeats(): Promise<{ readonly url: string; stop(): void }> {
  const server = createServer((_, response) => {
    const writer = new SseWriter(response);
    writer.open('begin');
    writer.write(event('a'));
    for (let beat = 1; beat < heartbeats; beat += 1) writer.heartbeat();
    writer.write(event('b'));
    writer.heartbeat();
    writer.close();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
