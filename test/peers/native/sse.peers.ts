/** Heartbeats of event streams as six clients of Python and Go read them. Those of Node.js: ../sse-clients.test.ts. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sent, startHeartbeats } from '../../support/heartbeats.js';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const python = [here('.installed/venv/bin/python'), here('sse_client.py')] as const;
const go = [here('.installed/sse-go')] as const;

let server: Awaited<ReturnType<typeof startHeartbeats>>;
beforeAll(async () => {
  server = await startHeartbeats();
});
afterAll(() => server.stop());

it.each([
  ['sseclient', python],
  ['sseclient-py', python],
  ['httpx-sse', python],
  ['r3labs/sse', go],
  ['launchdarkly/eventsource', go],
  ['tmaxmax/go-sse', go],
])('cause no empty message in %s', { timeout: 60_000 }, async (client, [program, ...args]) => {
  const { stdout } = await promisify(execFile)(program, [...args, client, server.url], { timeout: 50_000 });
  const messages: unknown[] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  // Some report the opening, which states the event that the stream begins after, as a message without data.
  // One reports what comes between the last event and the end of the connection, a heartbeat here.
  const end = client === 'r3labs/sse' ? [''] : [];
  expect(messages.slice(messages[0] === '' ? 1 : 0)).toEqual([...sent, ...end]);
});
