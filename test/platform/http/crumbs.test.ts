/** Bodies in chunks of a few bytes are refused after some of them, and who sends them again and again sends no chunks. */
import { afterAll, beforeAll, beforeEach, expect, it, type MockInstance, vi } from 'vitest';
import { readBytes } from '../../../daemon/platform/http/bodies/read-bytes.js';
import { HttpListener } from '../../../daemon/platform/http/server.js';
import { createLogger } from '../../../daemon/platform/observability/logger.js';
import { type DomainError, ErrorBody } from '../../../src/contract/errors.js';
import { rawClient } from '../../support/raw-http.js';

const bytesMax = 4 * 1024 * 1024;
/** More than the 64 KiB that Node reads at once. */
const chunks = 100_000;
const listener = new HttpListener('127.0.0.1', 0, null, 'EARSHOT_PORT', createLogger('silent'));
/** Calls of Node for the chunks of each body since the test began. */
const spies: MockInstance[] = [];
const calls = () => spies.reduce((sum, { mock }) => sum + mock.calls.length, 0);
beforeAll(() =>
  listener.start((request, response) => {
    spies.push(vi.spyOn(request, 'push'));
    if (request.url === '/unread') return void response.writeHead(404).end();
    readBytes(request, { bytesMax, freeBytes: 0, reserve: null }).then(
      (bytes) => response.end(String(bytes.length)),
      ({ status, code, message }: DomainError) => response.writeHead(status).end(JSON.stringify({ code, message })),
    );
  }),
);
afterAll(() => listener.stop(0));
let address = 1;
/** Each test has an address of its own: offences are counted by address. */
beforeEach(() => {
  address += 1;
  spies.length = 0;
});
const head = (path = '/') => `POST ${path} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`;
const send = async (text: string) => {
  const client = await rawClient(listener.url, `127.0.0.${address}`);
  client.send(text);
  return client;
};
const crumbs = '1\r\n \r\n'.repeat(chunks);
/** The connection is then reset, because its client has sent more than is read. */
const refusalOf = async (path?: string) => {
  const client = await send(head(path) + crumbs);
  await client.received();
  client.close();
  return client.soFar();
};

it('are refused with what to do, and cost no call for each chunk that has come already', async () => {
  const refusal = await refusalOf();
  expect(refusal).toMatch(/^HTTP\/1\.1 400 /);
  expect(refusal).toContain('Send it with Content-Length, or in chunks of at least 32 bytes.');
  expect(calls()).toBeGreaterThan(500);
  expect(calls()).toBeLessThan(510);
});

it('end the connection where nobody reads them', async () => {
  await refusalOf('/unread');
  expect(calls()).toBeLessThan(510);
});

it('take nothing from other bodies: a parser that was made deaf hears again', async () => {
  for (let sent = 0; sent < 3; sent += 1) await refusalOf();
  address += 100;
  const readable = '40\r\n'.concat(' '.repeat(64), '\r\n').repeat(2_000);
  for (let sent = 0; sent < 5; sent += 1) {
    const client = await send(`${head()}${readable}0\r\n\r\n`);
    await client.received();
    expect(client.soFar()).toMatch(/\r\n\r\n128000$/);
    client.close();
  }
});

it('bar the address from sending chunks, and from nothing else', async () => {
  for (let sent = 0; sent < 3; sent += 1) await refusalOf();
  spies.length = 0;
  const [headers = '', body = ''] = (await refusalOf()).split('\r\n\r\n');
  expect(headers).toMatch(/^HTTP\/1\.1 429 .*\r\nRetry-After: 60\r\n/s);
  expect(ErrorBody.parse(JSON.parse(body)).code).toBe('rate_limited');
  expect(body).toContain('Send bodies with Content-Length');
  expect(calls()).toBe(0);
  const plain = await send('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}');
  await plain.received();
  expect(plain.soFar()).toMatch(/^HTTP\/1\.1 200 /);
  plain.close();
});

it('let a slow sender of a few small chunks pass', async () => {
  const client = await send(head());
  for (let sent = 0; sent < 400; sent += 1) client.send('1\r\n \r\n');
  client.send('0\r\n\r\n');
  await client.received();
  expect(client.soFar()).toMatch(/\r\n\r\n400$/);
  client.close();
});
