/**
 * Bodies that are sent in part and then held, by strangers and by somebody with a key, in few bytes that unpack to many.
 * The memory that the daemon keeps for them has a limit, and each is let go within seconds.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { apiKeyRoutes } from '../../src/contract/identity/api-keys.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { administrator, DaemonProcess } from '../support/daemon-process.js';
import { rentedMachine, watchingHealth } from '../support/health-watch.js';
import { rawClient } from '../support/raw-http.js';
import { scale } from '../support/scale.js';

const connections = scale(60, 360);
const bodyBytes = 4 * 1024 * 1024;
/** A daemon that unpacks what strangers send grows by more than a gigabyte at full scale. */
const growthMaxMib = scale(100, 200);
/** Less than the 60 seconds in which a whole request has to arrive. */
const letGoMs = 20_000;

const daemon = new DaemonProcess(
  { EARSHOT_RATE_LIMIT_ADDRESS: '0', EARSHOT_RATE_LIMIT_CREDENTIAL: '0' },
  rentedMachine,
);
let key = '';
let batches = '';
beforeAll(async () => {
  await daemon.start();
  const anonymous = new EarshotClient({ baseUrl: daemon.url });
  const { accessToken: token } = await anonymous.call(accountRoutes.loginCredentials, { body: administrator });
  const client = new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token } });
  ({ key } = await client.call(apiKeyRoutes.create, { body: { name: 'bodies', scopes: ['sanctions', 'gameplay'] } }));
  batches = `/api/projects/${(await client.call(projectRoutes.list, {}))[0]?.id}/sanctions/batch`;
});
afterAll(() => daemon.dispose());

function residentMib(): number {
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${daemon.pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

const packed = gzipSync(`{"items":[${' '.repeat(bodyBytes - 100)}`);
const post = (path: string, headers: string, body: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${headers}\r\n`),
    body,
  ]);
/** The last byte never comes. */
const heldPacked = (path: string, credential: string): Buffer =>
  post(path, `${credential}Content-Encoding: gzip\r\nContent-Length: ${packed.length + 1}\r\n`, packed);
const heldPlain = (path: string, credential: string): Buffer =>
  post(path, `${credential}Content-Length: ${bodyBytes}\r\n`, Buffer.alloc(bodyBytes / 4, ' '));
/** Chunks of a byte each: six bytes for one. */
const heldChunks = (path: string, credential: string): Buffer =>
  post(path, `${credential}Transfer-Encoding: chunked\r\n`, Buffer.from('1\r\n \r\n'.repeat(100_000)));

async function hold(bytes: Buffer, index: number): Promise<net.Socket> {
  const { hostname: host, port } = new URL(daemon.url);
  const socket = net.connect({ host, port: Number(port), localAddress: `127.0.1.${1 + (index % 8)}` });
  socket.on('error', () => {}).resume();
  await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
  socket.write(bytes);
  return socket;
}

interface Attack {
  readonly title: string;
  readonly bytes: () => Buffer;
}

describe('bodies that are sent in part', { timeout: 120_000 }, () => {
  it.each<Attack>([
    { title: 'by strangers, packed', bytes: () => heldPacked(batches, '') },
    { title: 'by strangers, to the login', bytes: () => heldPacked('/api/auth/login', '') },
    { title: 'by strangers, as they are', bytes: () => heldPlain('/api/v1/events/batch', '') },
    { title: 'with a wrong key', bytes: () => heldPacked(batches, 'X-API-Key: nobody\r\n') },
    { title: 'with a key, packed', bytes: () => heldPacked(batches, `X-API-Key: ${key}\r\n`) },
    { title: 'with a key, as they are', bytes: () => heldPlain(batches, `X-API-Key: ${key}\r\n`) },
    { title: 'with a key, in chunks of a byte', bytes: () => heldChunks(batches, `X-API-Key: ${key}\r\n`) },
  ])('$title, take little memory and are let go within seconds', async ({ title, bytes }) => {
    const before = residentMib();
    const { memoryMib } = await watchingHealth(daemon, `${connections} bodies in part, ${title}`, async () => {
      const sockets = await Promise.all(Array.from({ length: connections }, (_, index) => hold(bytes(), index)));
      const deadline = performance.now() + letGoMs;
      while (sockets.some(({ closed }) => !closed) && performance.now() < deadline) await sleep(50);
      const held = sockets.filter(({ closed }) => !closed).length;
      for (const socket of sockets) socket.destroy();
      expect(held).toBe(0);
    });
    expect(memoryMib - before).toBeLessThan(growthMaxMib);
  });
});

describe('a body', () => {
  const answer = async (bytes: Buffer) => {
    const client = await rawClient(daemon.url);
    client.send(bytes);
    return client.ended();
  };

  it('is not waited for where the credential is wrong', async () => {
    expect(await answer(heldPlain(batches, 'X-API-Key: nobody\r\n'))).toMatchObject({ status: 401 });
  });

  it('is not unpacked for a stranger', async () => {
    const { status, body } = await answer(heldPacked('/api/auth/login', ''));
    expect({ status, code: JSON.parse(body).code }).toEqual({ status: 415, code: 'unsupported_media_type' });
  });

  it('that stops coming is 408', async () => {
    expect(await answer(heldPlain(batches, `X-API-Key: ${key}\r\n`))).toMatchObject({ status: 408 });
  });

  it('is asked for, where its sender waits, only once the credential is known', async () => {
    const head = (credential: string) =>
      post(batches, `${credential}Expect: 100-continue\r\nContent-Length: 2\r\n`, Buffer.alloc(0));
    expect(await answer(head(''))).toMatchObject({ status: 401 });
    const client = await rawClient(daemon.url);
    client.send(head(`X-API-Key: ${key}\r\n`));
    await client.received();
    expect(client.soFar()).toMatch(/^HTTP\/1\.1 100 /);
    client.send('{}');
    await client.received();
    expect(client.soFar()).toContain('HTTP/1.1 400 ');
    client.close();
  });
});
