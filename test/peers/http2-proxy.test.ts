/** HTTP/2 through examples/nginx.conf, which speaks HTTP/1.1 to the daemon, by the clients of Node.js and curl. */
import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http2 from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasOpenssl, writeCertificate } from '../support/certificates.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { exampleSite, hasNginx, startNginxWith } from '../support/nginx.js';

const run = promisify(execFile);
const hasCurl = spawnSync('curl', ['--version']).stdout?.toString().includes('HTTP2') ?? false;

describe.skipIf(!hasNginx || !hasOpenssl)('HTTP/2 through a proxy (package nginx-light)', { timeout: 120_000 }, () => {
  let daemon: TestDaemon;
  let folder: string;
  let certificate: { cert: string; key: string };
  let url: string;
  let stopNginx: () => Promise<void>;
  let session: http2.ClientHttp2Session;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'earshot-http2-'));
    certificate = writeCertificate(folder, 'voice.example');
    const [http, tls] = [await freePort(), await freePort()];
    url = `https://127.0.0.1:${tls}`;
    daemon = await startDaemon({ settings: { EARSHOT_PUBLIC_URL: url, EARSHOT_TRUSTED_PROXIES: '127.0.0.1' } });
    const site = exampleSite({ http, tls, certificate, upstream: daemon.url });
    stopNginx = await startNginxWith(site, `http://127.0.0.1:${http}`);
    session = http2.connect(url, { ca: readFileSync(certificate.cert) });
    session.on('error', () => {});
  }, 120_000);
  afterAll(async () => {
    session?.destroy();
    await stopNginx?.();
    await daemon?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const path = (rest: string) => `/api/projects/${daemon.projectId}/${rest}`;
  const person = (externalUserId: string): string => JSON.stringify({ externalUserId });
  const open = (method: string, to: string, headers: http2.OutgoingHttpHeaders = {}) => {
    const request = session.request({ ':method': method, ':path': to, 'x-api-key': daemon.apiKey, ...headers });
    const heard = { status: 0, text: '' };
    request.on('response', ({ ':status': status = 0 }) => {
      heard.status = status;
    });
    request.setEncoding('utf8').on('data', (part: string) => {
      heard.text += part;
    });
    request.on('error', () => {});
    return { request, heard, closed: once(request, 'close') };
  };
  const post = async (rest: string, body: string, headers: http2.OutgoingHttpHeaders = {}) => {
    const { request, heard, closed } = open('POST', path(rest), { 'content-type': 'application/json', ...headers });
    request.end(body);
    await closed;
    return heard;
  };

  it('brings events to several streams of one connection, while calls go on beside them', async () => {
    const streams = [1, 2, 3].map(() => open('GET', path('events/stream?types=participant.created')));
    await eventually(() => expect(streams.map(({ heard }) => heard.status)).toEqual([200, 200, 200]));
    for (const name of ['h2-one', 'h2-two']) {
      expect((await post('participants', person(name))).status).toBe(201);
      await eventually(() => {
        for (const { heard } of streams) expect(heard.text).toContain(name);
      });
    }
    for (const { request } of streams) request.close(http2.constants.NGHTTP2_CANCEL);
  });

  it('carries uploads without a length, and larger ones than the daemon takes to its own refusal', async () => {
    const batch = JSON.stringify({ items: [{ type: 'warn', externalUserId: 'h2-large' }] });
    const upload = (mebibytes: number) => post('sanctions/batch', ' '.repeat(mebibytes * 1024 * 1024) + batch);
    const taken = await upload(3.9);
    expect([taken.status, JSON.parse(taken.text).created]).toEqual([201, 1]);
    const { status, text } = await upload(4.1);
    expect([status, JSON.parse(text).code]).toEqual([413, 'body_too_large']);
  });

  it('answers many calls of one connection at once, each by its own', async () => {
    const names = Array.from({ length: 40 }, (_, at) => `h2-many-${at}`);
    const answers = await Promise.all(names.map((name) => post('participants', person(name))));
    expect(answers.map(({ text }) => JSON.parse(text).externalUserId)).toEqual(names);
  });

  it.skipIf(!hasCurl)('serves curl, which asks for 100 before a body', async () => {
    const options = ['--silent', '--show-error', '--max-time', '30', '--cacert', certificate.cert, '--http2'];
    const head = [
      '-H',
      `X-API-Key: ${daemon.apiKey}`,
      '-H',
      'Content-Type: application/json',
      '-H',
      'Expect: 100-continue',
    ];
    const told = ['--output', '/dev/null', '--write-out', '%{http_version} %{http_code}'];
    const call = [...options, ...head, ...told, '--data', person('h2-curl'), url + path('participants')];
    expect((await run('curl', call)).stdout).toBe('2 201');
  });
});
