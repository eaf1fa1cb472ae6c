/** Heartbeats of event streams as six clients of Python and Go read them. Those of Node.js: ../sse-clients.test.ts. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SseWriter } from '../../../daemon/platform/http/sse-writer.js';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const python = [here('.installed/venv/bin/python'), here('sse_client.py')] as const;
const go = [here('.installed/sse-go')] as const;

const server = createServer((_, response) => {
  const writer = new SseWriter(response);
  writer.open('begin');
  writer.write('id: a\ndata: "a"\n\n');
  for (let beat = 0; beat < 3; beat += 1) writer.heartbeat();
  writer.write('id: b\ndata: "b"\n\n');
  writer.close();
});
let url: string;
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

it.each([
  ['sseclient', python],
  ['sseclient-py', python],
  ['httpx-sse', python],
  ['r3labs/sse', go],
  ['launchdarkly/eventsource', go],
  ['tmaxmax/go-sse', go],
])('cause no empty message in %s', { timeout: 60_000 }, async (client, [program, ...args]) => {
  const { stdout } = await promisify(execFile)(program, [...args, client, url], { timeout: 50_000 });
  const messages: unknown[] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  // Some report the opening, which states the event that the stream begins after, as a message without data.
  expect(messages.slice(messages[0] === '' ? 1 : 0)).toEqual(['"a"', '"b"']);
});
