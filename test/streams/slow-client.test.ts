import http from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Batch } from '../../daemon/modules/streams/batch.js';
import { filterOf, reachKey, View } from '../../daemon/modules/streams/filter.js';
import { EventStreamConnection } from '../../daemon/modules/streams/stream.js';
import { EventLog } from '../../daemon/platform/events/log.js';
import { LocalWakeUps } from '../../daemon/platform/events/wake-ups.js';
import { systemClock } from '../../daemon/platform/time/clock.js';
import { openSqlite, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';

/** More than what two sockets take by themselves. */
const count = 60;
const eventBytes = 400_000;
const cutOffMs = 31_000;
const end = { position: BigInt(count) };

let opened: TestDatabase;
let log: EventLog;
let server: http.Server;
let serve: (response: http.ServerResponse) => void;
beforeAll(async () => {
  opened = await openSqlite();
  log = new EventLog(opened.database, new LocalWakeUps(), systemClock);
  await log.start();
  const data = { text: 'x'.repeat(eventBytes) };
  const event = { type: 'test.happened', tenantId: 't', projectId: 'p', resourceId: 'test:1', data } as const;
  for (let index = 0; index < count; index += 1)
    await opened.database.transaction((tx) => log.append(tx, { ...event, action: 'occurred' }));
  server = http.createServer((_, response) => serve(response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await opened.close();
});

/** A client that has asked for the stream and reads nothing of it yet. */
async function open(after: bigint): Promise<{ client: Socket; stream: EventStreamConnection }> {
  const served = new Promise<http.ServerResponse>((resolve) => {
    serve = resolve;
  });
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.pause();
  client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const reach = { tenantId: 't', projects: new Set(['p']), tenantBut: null, audit: true };
  const view = new View(filterOf(undefined, undefined), reach, reachKey(reach));
  const response = await served;
  return {
    client,
    stream: new EventStreamConnection({ response, head: response }, view, { after, begin: 'earliest' }),
  };
}

describe('a client that does not read', () => {
  it('is waited for by a replay, and has 30 s to go on', async () => {
    const { client, stream } = await open(0n);
    let received = 0;
    client.on('data', (chunk) => {
      received += chunk.length;
    });
    client.pause();
    const replayed = stream.replay(log, end, 't');
    await sleep(500);
    expect(stream.isStuck(0)).toBe(false);
    expect(stream.isStuck(cutOffMs - 2_000)).toBe(false);
    client.resume();
    await replayed;
    await eventually(() => expect(received).toBeGreaterThan(count * eventBytes));
    expect(stream.isStuck(cutOffMs)).toBe(false);
    client.destroy();
  });

  it('is stuck when it has read nothing for 30 s', async () => {
    const { client, stream } = await open(0n);
    void stream.replay(log, end, 't');
    await sleep(500);
    expect(stream.isStuck(0)).toBe(false);
    expect(stream.isStuck(1)).toBe(false);
    expect(stream.isStuck(cutOffMs)).toBe(true);
    client.destroy();
  });

  it('is stuck with more than 1 MiB unread, at once', async () => {
    const { client, stream } = await open(await log.head());
    await stream.replay(log, end, 't');
    const events = await log.read({ after: 0n, limit: count });
    stream.live(new Batch(events.map(({ event, position }) => ({ event, position: position + BigInt(count) }))));
    await eventually(() => expect(stream.isStuck(0)).toBe(true));
    let read = '';
    client.on('data', (chunk) => {
      read = (read + chunk).slice(-1_000);
    });
    stream.close('slow_consumer');
    client.resume();
    await eventually(() => expect(read).toContain('event: stream.closed\ndata: {"reason":"slow_consumer"'));
    client.destroy();
  });
});
