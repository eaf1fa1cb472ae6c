/** Offers to change the protocol: one that the daemon does not take is ignored, as RFC 9110 (7.8) has it. */
import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { connectAsync } from 'mqtt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ErrorBody } from '../../../src/contract/errors.js';
import { administrator, startDaemon, type TestDaemon } from '../../support/daemon.js';
import { exchange, rawClient } from '../../support/raw-http.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

/** Upgrade to HTTP/2 that Java's HttpClient and curl offer on a connection without TLS. */
const h2c =
  'Host: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n';
const webSocket =
  'Host: x\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';
const last = 'GET /api HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
const body = JSON.stringify(administrator);
const login = `POST /api/auth/login-credentials HTTP/1.1\r\n${h2c}Content-Type: application/json\r\n`;
const statuses = (text: string): string[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status = '']) => status);

/** Sends the parts, each once the answer to the one before has begun, and returns all that came. */
async function talk(...parts: string[]): Promise<string> {
  const client = await rawClient(daemon.url);
  for (const [at, part] of parts.entries()) {
    if (at > 0) await client.received();
    client.send(part);
  }
  return client.all();
}

describe('an offer of HTTP/2', () => {
  it('is ignored, and the connection is kept', async () => {
    const get = `GET /api HTTP/1.1\r\n${h2c}\r\n`;
    const text = await talk(get, get, last);
    expect(statuses(text)).toEqual(['200', '200', '200']);
    expect(text.match(/Connection: keep-alive/g)).toHaveLength(2);
  });

  it.each([
    ['of a stated length', [`${login}Content-Length: ${body.length}\r\n\r\n${body}`], ['201', '200']],
    [
      'that waits for 100',
      [`${login}Expect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n`, body],
      ['100', '201', '200'],
    ],
  ])('may come with a body %s', async (_, parts, expected) => {
    const text = await talk(...parts, last);
    expect(statuses(text)).toEqual(expected);
    expect(text).toContain('"accessToken"');
  });

  it('may come with a body in chunks, whose end nobody knows beforehand', async () => {
    const chunks = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    const text = await talk(`${login}Transfer-Encoding: chunked\r\n\r\n${chunks}`);
    expect(statuses(text)).toEqual(['201']);
    expect(text).toContain('"accessToken"');
  });

  it('swallows nothing that comes behind it at once: the answer says that the connection ends', async () => {
    const text = await talk(`GET /api HTTP/1.1\r\n${h2c}\r\n${last}`);
    expect(statuses(text)).toEqual(['200']);
    expect(text).toContain('Connection: close');
  });

  it('does not keep later requests from being pipelined', async () => {
    const text = await talk(`GET /api HTTP/1.1\r\n${h2c}\r\n`, `GET /api HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(3) + last);
    expect(statuses(text)).toEqual(['200', '200', '200', '200', '200']);
  });
});

describe('a WebSocket', () => {
  it('is opened where there is one', async () => {
    const client = await connectAsync(`${daemon.url.replace('http', 'ws')}/mqtt`);
    expect(client.connected).toBe(true);
    await client.endAsync();
  });

  it.each([
    ['/nowhere', 404, 'route_not_found'],
    ['/api/projects', 401, 'credential_missing'],
  ])('at %s, where there is none, is %i in the body of every error', async (path, status, code) => {
    const answer = await exchange(daemon.url, `GET ${path} HTTP/1.1\r\n${webSocket}\r\n`);
    expect({ status: answer.status, code: ErrorBody.parse(JSON.parse(answer.body)).code }).toEqual({ status, code });
  });

  it.each([
    ['no offer', 'Host: x\r\nConnection: close\r\n'],
    ['another offer', h2c.replace('Upgrade,', 'Upgrade, close,')],
  ])('is asked for at /mqtt by who comes with %s', async (_, headers) => {
    const {
      status,
      headers: answered,
      body: text,
    } = await exchange(daemon.url, `GET /mqtt HTTP/1.1\r\n${headers}\r\n`);
    expect({ status, code: ErrorBody.parse(JSON.parse(text)).code }).toEqual({ status: 426, code: 'upgrade_required' });
    expect(answered).toMatch(/^Upgrade: websocket/im);
  });
});

const hasCurl = spawnSync('curl', ['--version']).stdout?.toString().includes('HTTP2') ?? false;
describe.skipIf(!hasCurl)('curl --http2', () => {
  const curl = async (...more: string[]): Promise<string> => {
    const options = ['--http2', '--silent', '--show-error', '--max-time', '20'];
    return (await promisify(execFile)('curl', [...options, ...more])).stdout;
  };
  const code = ['--output', '/dev/null', '--write-out', '%{http_code} '];

  it('is answered by HTTP/1.1', async () => {
    expect(await curl(...code, `${daemon.url}/api`, ...code, `${daemon.url}/api`)).toBe('200 200 ');
  });

  it('sends bodies', async () => {
    const json = ['--header', 'Content-Type: application/json', '--data', body];
    expect(await curl(...json, `${daemon.url}/api/auth/login-credentials`)).toContain('accessToken');
    expect(
      await curl(...json, '--header', 'Expect: 100-continue', `${daemon.url}/api/auth/login-credentials`),
    ).toContain('accessToken');
  });
});
