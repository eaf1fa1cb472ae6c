/**
 * Connections that end by a reset (RST) at every point of every protocol. An emitter without an error listener would end
 * the process, so a daemon that is a process of its own must be there afterwards and answer.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import tls from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { hasOpenssl, writeCertificate } from '../support/certificates.js';
import { administrator, DaemonProcess } from '../support/daemon-process.js';
import { rentedMachine, watchingHealth } from '../support/health-watch.js';
import { scale } from '../support/scale.js';

const rounds = scale(2, 200);
const atOnce = 20;
const attemptsMax = 50;
/** Time that the daemon has before the reset, in every other round. */
const pauseMs = 4;

/** Bytes of a client; `afterAnswer`: it waits for an answer to begin before it resets. */
interface Moment {
  readonly title: string;
  readonly bytes: string | Buffer;
  readonly afterAnswer?: boolean;
  /** Sent once the answer has begun. */
  readonly behind?: string | Buffer;
}

const webSocketHeaders =
  'Host: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: mqtt\r\n\r\n';
const h2cHeaders = 'Host: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n';
const body = JSON.stringify({ email: 'nobody@localhost', password: 'x'.repeat(100) });
const post = `POST /api/auth/login-credentials HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
const mqttConnect = Buffer.from('\x10\x0d\x00\x04MQTT\x04\x02\x00\x3c\x00\x01a', 'latin1');
const mqttSubscribe = Buffer.from('\x82\x06\x00\x01\x00\x01t\x00', 'latin1');
/** A client's frame of a binary message; its mask is zero. */
const webSocketFrame = (payload: Buffer): Buffer =>
  Buffer.concat([Buffer.from([0x82, 0x80 | payload.length, 0, 0, 0, 0]), payload]);
const half = (bytes: Buffer): Buffer => bytes.subarray(0, bytes.length / 2);

const httpMoments = (token: string): Moment[] => [
  { title: 'the connect', bytes: '' },
  { title: 'half a line', bytes: 'GET /api HT' },
  { title: 'the line', bytes: 'GET /api HTTP/1.1\r\n' },
  { title: 'half the headers', bytes: 'GET /api HTTP/1.1\r\nHost: x\r\nX-Ha' },
  { title: 'the headers', bytes: 'GET /api HTTP/1.1\r\nHost: x\r\n\r\n' },
  { title: 'what is no HTTP', bytes: 'HELLO there\r\n\r\n' },
  { title: 'half the body', bytes: post + body.slice(0, 20) },
  { title: 'the body', bytes: post + body },
  { title: 'half a chunk', bytes: 'POST /api HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nabc' },
  { title: 'half the answer', bytes: 'GET /api/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n', afterAnswer: true },
  {
    title: 'half a page',
    bytes: 'GET /assets/viewer/swagger-ui-bundle.js HTTP/1.1\r\nHost: x\r\n\r\n',
    afterAnswer: true,
  },
  {
    title: 'pipelined requests',
    bytes: 'GET /api/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(5),
    afterAnswer: true,
  },
  { title: 'CONNECT', bytes: 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n' },
  { title: 'an upgrade to h2c', bytes: `GET /api HTTP/1.1\r\n${h2cHeaders}\r\n` },
  {
    title: 'an upgrade to h2c with half its body',
    bytes: `POST /api HTTP/1.1\r\n${h2cHeaders}Content-Length: 9\r\n\r\nhalf`,
  },
  { title: 'an upgrade at a path without one', bytes: `GET /nowhere HTTP/1.1\r\n${webSocketHeaders}` },
  { title: 'an upgrade', bytes: `GET /mqtt HTTP/1.1\r\n${webSocketHeaders}` },
  {
    title: 'an upgrade that is no WebSocket',
    bytes: 'GET /mqtt HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
  },
  { title: 'the answer to an upgrade', bytes: `GET /mqtt HTTP/1.1\r\n${webSocketHeaders}`, afterAnswer: true },
  {
    title: 'half a WebSocket frame',
    bytes: `GET /mqtt HTTP/1.1\r\n${webSocketHeaders}`,
    afterAnswer: true,
    behind: half(webSocketFrame(mqttConnect)),
  },
  {
    title: 'half an MQTT packet by WebSocket',
    bytes: `GET /mqtt HTTP/1.1\r\n${webSocketHeaders}`,
    afterAnswer: true,
    behind: webSocketFrame(half(mqttConnect)),
  },
  {
    title: 'an open WebSocket',
    bytes: `GET /mqtt HTTP/1.1\r\n${webSocketHeaders}`,
    afterAnswer: true,
    behind: webSocketFrame(Buffer.concat([mqttConnect, mqttSubscribe])),
  },
  {
    title: 'an open event stream',
    bytes: `GET /api/events/stream HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`,
    afterAnswer: true,
  },
];

const mqttMoments: Moment[] = [
  { title: 'the connect', bytes: '' },
  { title: 'half a packet', bytes: half(mqttConnect) },
  { title: 'the packet', bytes: mqttConnect },
  { title: 'a packet that is too large', bytes: Buffer.from([0x10, 0xff, 0xff, 0xff, 0x7f]) },
  { title: 'what is no MQTT', bytes: 'GET / HTTP/1.1\r\n\r\n' },
  { title: 'half a subscription', bytes: mqttConnect, afterAnswer: true, behind: half(mqttSubscribe) },
  { title: 'a subscription', bytes: mqttConnect, afterAnswer: true, behind: mqttSubscribe },
];

const question = '{"operation":"no such operation","input":{}}\n';
const controlMoments: Moment[] = [
  { title: 'the connect', bytes: '' },
  { title: 'half a line', bytes: question.slice(0, 12) },
  { title: 'the line', bytes: question },
  { title: 'what is no question', bytes: 'HELLO\n' },
  { title: 'the answer', bytes: question, afterAnswer: true },
];

type Dial = () => net.Socket;
const dialTcp = (url: string): Dial => {
  const { hostname, port } = new URL(url);
  return () => net.connect(Number(port), hostname);
};

/** A reset; a Unix socket has none, but closing it with something unread is told the other side in the same way. */
const reset = (socket: net.Socket): void => {
  if (socket.remoteFamily === undefined) socket.destroy();
  else socket.resetAndDestroy();
};

/** TLS over the socket by way of a stream of our own: Node cannot reset a socket that its TLS has taken over. */
async function secured(socket: net.Socket): Promise<tls.TLSSocket> {
  const carrier = new Duplex({ read() {}, write: (chunk, _encoding, done) => void socket.write(chunk, () => done()) });
  socket.on('data', (chunk) => carrier.push(chunk)).on('close', () => carrier.push(null));
  const channel = tls.connect({ socket: carrier.on('error', () => {}), rejectUnauthorized: false });
  await once(
    channel.on('error', () => {}),
    'secureConnect',
  );
  return channel;
}

async function resetAt(dial: Dial, overTls: boolean, { bytes, afterAnswer = false, behind }: Moment, pause: boolean) {
  const socket = dial().on('error', () => {});
  await once(socket, 'connect');
  const channel = overTls ? await secured(socket) : socket;
  if (bytes.length > 0) channel.write(bytes);
  if (afterAnswer) {
    await once(channel, 'readable');
    if (behind !== undefined) channel.write(behind);
  }
  if (pause) await sleep(pauseMs);
  reset(socket);
  channel.destroy();
}

/** Tries again if the daemon has closed the connection because its places were taken, as the control socket does. */
async function persistently(attempt: () => Promise<void>): Promise<void> {
  for (let left = attemptsMax; ; left -= 1)
    try {
      await attempt();
      return;
    } catch (error) {
      const closed = error instanceof Error && 'code' in error && ['EPIPE', 'ECONNRESET'].includes(String(error.code));
      if (!closed || left === 0) throw error;
      await sleep(pauseMs);
    }
}

async function resetEverywhere(dial: Dial, overTls: boolean, moments: readonly Moment[]): Promise<void> {
  for (const moment of moments) {
    for (let done = 0; done < rounds; done += atOnce) {
      const batch = Array.from({ length: Math.min(atOnce, rounds - done) }, (_, at) =>
        persistently(() => resetAt(dial, overTls, moment, at % 2 === 0)).catch((cause: unknown) => {
          throw new Error(`no connection to reset after ${moment.title}`, { cause });
        }),
      );
      await Promise.all(batch);
    }
  }
}

/** The process is still there, and answers. */
async function expectAlive(daemon: DaemonProcess, url: string): Promise<void> {
  expect(daemon.running).toBe(true);
  expect((await fetch(`${url}/health/live`)).status).toBe(200);
}

describe('connections that are reset', () => {
  const daemon = new DaemonProcess({}, rentedMachine);
  let token = '';
  let mqtt = '';
  beforeAll(async () => {
    ({ mqtt } = await daemon.start());
    const client = new EarshotClient({ baseUrl: daemon.url });
    ({ accessToken: token } = await client.call(accountRoutes.loginCredentials, { body: administrator }));
  });
  afterAll(() => daemon.dispose());

  const attack = (title: string, dial: () => Dial, moments: () => readonly Moment[]) =>
    it(`by ${title} leave the daemon as it was`, async () => {
      await watchingHealth(daemon, `resets by ${title}`, () => resetEverywhere(dial(), false, moments()));
      await expectAlive(daemon, daemon.url);
    }, 300_000);

  attack(
    'HTTP',
    () => dialTcp(daemon.url),
    () => httpMoments(token),
  );
  attack(
    'MQTT',
    () => dialTcp(mqtt),
    () => mqttMoments,
  );
  attack(
    'the control socket',
    () => () => net.connect(join(daemon.dataDir, 'control.sock')),
    () => controlMoments,
  );
});

describe.skipIf(!hasOpenssl)('TLS connections that are reset', () => {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-resets-'));
  const { cert, key } = hasOpenssl ? writeCertificate(folder, 'resets') : { cert: '', key: '' };
  const daemon = new DaemonProcess(
    { EARSHOT_TLS_CERT: cert, EARSHOT_TLS_KEY: key, EARSHOT_METRICS_PORT: '0' },
    rentedMachine,
  );
  let mqtt = '';
  let metrics = '';
  beforeAll(async () => {
    ({ mqtt } = await daemon.start());
    const [, url = ''] = /"metrics":"(http:[^"]+)\/metrics"/.exec(daemon.printed.join('\n')) ?? [];
    metrics = url;
  });
  afterAll(async () => {
    await daemon.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  const handshakes: Moment[] = [
    { title: 'the connect', bytes: '' },
    { title: 'half a handshake', bytes: Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00]) },
    { title: 'what is no TLS', bytes: 'GET / HTTP/1.1\r\n\r\n' },
  ];
  const withoutToken = () => httpMoments('').filter(({ title }) => title !== 'an open event stream');

  it('leave the daemon as it was', async () => {
    await watchingHealth(daemon, 'resets by TLS', async () => {
      await resetEverywhere(dialTcp(daemon.url), false, handshakes);
      await resetEverywhere(dialTcp(daemon.url), true, withoutToken());
      await resetEverywhere(dialTcp(mqtt), false, handshakes);
      await resetEverywhere(dialTcp(mqtt), true, mqttMoments);
      await resetEverywhere(
        dialTcp(metrics),
        false,
        withoutToken().filter(({ afterAnswer }) => !afterAnswer),
      );
    });
    await expectAlive(daemon, metrics);
  }, 300_000);
});
