/** HTTP clients that others wrote, with their defaults: Java's two, curl, and the bytes that those of .NET, Go and Python write. */
import { execFile, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { rawClient } from '../support/raw-http.js';

const run = promisify(execFile);
const hasJava = spawnSync('javac', ['-version']).status === 0;
const hasCurl = spawnSync('curl', ['--version']).status === 0;

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

const path = () => `/api/projects/${daemon.projectId}/participants`;
const person = (externalUserId: string): string => JSON.stringify({ externalUserId });

describe.skipIf(!hasJava)("Java's clients (package default-jdk-headless)", { timeout: 120_000 }, () => {
  it('call, send bodies of each kind and follow events', async () => {
    const program = fileURLToPath(new URL('HttpPeer.java', import.meta.url));
    const { stdout } = await run('java', [program, daemon.url, daemon.projectId, daemon.apiKey], { timeout: 110_000 });
    expect(stdout.trim().split('\n')).toEqual([
      'get 200 HTTP_1_1',
      'again 200 HTTP_1_1',
      'length 201 HTTP_1_1',
      'chunked 201 HTTP_1_1',
      'large 201 HTTP_1_1',
      'continue 201 HTTP_1_1',
      'refused 404 HTTP_1_1',
      'stream 200 HTTP_1_1',
      'caused 201 HTTP_1_1',
      'event 200 HTTP_1_1',
      'old-get 200 HTTP_1_1',
      'old-chunked 201 HTTP_1_1',
    ]);
  });
});

describe.skipIf(!hasCurl)('curl', () => {
  const curl = async (...args: string[]): Promise<string> => {
    const options = [
      '--silent',
      '--show-error',
      '--max-time',
      '30',
      '--output',
      '/dev/null',
      '--write-out',
      '%{http_code}',
    ];
    const key = ['--header', `X-API-Key: ${daemon.apiKey}`];
    return (await run('curl', [...options, ...key, ...args, daemon.url + path()], { maxBuffer: 1 << 24 })).stdout;
  };
  const json = ['--header', 'Content-Type: application/json'];

  it.each([
    ['--data', [...json, '--data', person('curl')], '201'],
    [
      'no Accept, and chunks',
      [...json, '-H', 'Accept:', '-H', 'Transfer-Encoding: chunked', '--data', person('curl-2')],
      '201',
    ],
    ['Expect: 100-continue', [...json, '-H', 'Expect: 100-continue', '--data', person('curl-3')], '201'],
    ['HTTP/1.0', [...json, '--http1.0', '--data', person('curl-4')], '201'],
    ['HTTP/2 without TLS', [...json, '--http2', '--data', person('curl-5')], '201'],
  ])('with %s', async (_, args, status) => {
    expect(await curl(...args)).toBe(status);
  });
});

describe('the bytes of a client', () => {
  const chunked = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`;
  const key = (name = 'X-API-Key'): string => `${name}: ${daemon.apiKey}\r\n`;
  /** Sends a POST, whose body follows the head once `100 Continue` has come where the client asks for that. */
  async function post(head: string, body: string): Promise<string[]> {
    const client = await rawClient(daemon.url);
    client.send(`POST ${path()} HTTP/1.1\r\n${head}\r\n`);
    if (/^expect:/im.test(head)) await client.received();
    client.send(body);
    while (!/HTTP\/1\.1 [2-5]/.test(client.soFar())) await client.received();
    const statuses = [...client.soFar().matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status = '']) => status);
    client.close();
    return statuses;
  }

  // HttpClient of .NET writes no Accept and no User-Agent, and PostAsJsonAsync writes chunks (JsonContent has no length).
  it('PostAsJsonAsync of .NET', async () => {
    const head = `Host: x\r\n${key()}Transfer-Encoding: chunked\r\nContent-Type: application/json; charset=utf-8\r\n`;
    expect(await post(head, chunked(person('net-1')))).toEqual(['201']);
  });

  it('HttpClient of .NET with a trace and ExpectContinue', async () => {
    const body = person('net-2');
    const trace = 'traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00\r\n';
    const head = `Host: x\r\n${key()}Expect: 100-continue\r\n${trace}Content-Type: application/json; charset=utf-8\r\nContent-Length: ${body.length}\r\n`;
    expect(await post(head, body)).toEqual(['100', '201']);
  });

  // HttpWebRequest of .NET Framework asks before every POST, and spells Keep-Alive with capitals.
  it('HttpWebRequest of .NET Framework', async () => {
    const body = person('net-3');
    const head = `${key()}Content-Type: application/json\r\nHost: x\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\nConnection: Keep-Alive\r\n`;
    expect(await post(head, body)).toEqual(['100', '201']);
  });

  it('is told why its body is not wanted, instead of 100', async () => {
    const head = 'Host: x\r\nExpect: 100-continue\r\nContent-Type: application/json\r\nContent-Length: 30\r\n';
    expect(await post(head, '')).toEqual(['401']);
  });

  it('net/http of Go with a reader', async () => {
    const head = `Host: x\r\nUser-Agent: Go-http-client/1.1\r\nTransfer-Encoding: chunked\r\nContent-Type: application/json\r\n${key('X-Api-Key')}Accept-Encoding: gzip\r\n`;
    expect(await post(head, chunked(person('go')))).toEqual(['201']);
  });

  it('urllib of Python, which capitalises names of headers', async () => {
    const body = person('python');
    const head = `Accept-Encoding: identity\r\nContent-Length: ${body.length}\r\nHost: x\r\nUser-Agent: Python-urllib/3.11\r\nContent-Type: application/json\r\n${key('X-api-key')}Connection: close\r\n`;
    expect(await post(head, body)).toEqual(['201']);
  });

  it('with names in lower and in upper case', async () => {
    const body = person('cases');
    const head = `host: x\r\n${key('X-API-KEY')}CONTENT-TYPE: application/json\r\ncontent-length: ${body.length}\r\naccept: */*\r\n`;
    expect(await post(head, body)).toEqual(['201']);
  });
});
