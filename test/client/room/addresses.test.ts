/** Where the library looks for a room once the daemon that had it is lost. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { RoomEvents } from '../../../src/client/room/room-events.js';
import type { RoomStreamEvent } from '../../../src/contract/rooms/room-events.js';
import { eventually } from '../../support/eventually.js';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

const send = (response: ServerResponse, event: Pick<RoomStreamEvent, 'type'> & object) =>
  response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);

/** A daemon that has the room; `others` are those that it tells of after the room's state. */
async function holder(others: readonly string[]): Promise<{ readonly url: string; readonly server: Server }> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    send(response, { type: 'room.state' });
    send(response, { type: 'room.addresses', ...{ otherUrls: others } });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/rooms/stage`, server };
}

it('is also at the addresses of the token, of which the daemon that had the room knew nothing', async () => {
  const second = await holder([]);
  const first = await holder([]);
  const told: string[] = [];
  const events = new RoomEvents({ url: first.url, otherUrls: [second.url], token: 't', encryption: null });
  events.subscribe(({ type }) => told.push(type));
  await events.open();
  await eventually(() => expect(told).toEqual(['room.state', 'room.addresses']));
  first.server.closeAllConnections();
  first.server.close();
  await eventually(() => expect(events.roomUrl).toBe(second.url), 10_000);
  expect(events.connected).toBe(true);
  events.close();
});
