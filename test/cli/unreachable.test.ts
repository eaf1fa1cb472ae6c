/** Commands that reach no daemon say why, and what to do about it. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasOpenssl, writeCertificate } from '../support/certificates.js';
import { commandLine } from '../support/cli.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { hasNginx, startNginx } from '../support/nginx.js';

const { run, dispose } = commandLine();
const folder = mkdtempSync(join(tmpdir(), 'earshot-unreachable-'));
afterAll(() => {
  dispose();
  rmSync(folder, { recursive: true, force: true });
});

/** The command's answer where `url` is the address of the daemon. */
const refusal = async (url: string, args: readonly string[] = ['doctor']) => {
  const { code, stdout, stderr } = await run([...args, '--url', url]);
  return [code, stdout + stderr] as const;
};

describe('an address', () => {
  it.each([
    ['127.0.0.1:8080', '127.0.0.1:8080 is no address: write http://127.0.0.1:8080.'],
    ['localhost:8080', 'localhost:8080 is no address: write http://localhost:8080.'],
    ['voice.example', 'voice.example is no address: write http://voice.example.'],
    ['ftp://voice.example', 'ftp://voice.example is no address: write one that begins with http:// or https://.'],
  ])('such as %s is refused with the one that is meant', async (typed, message) => {
    expect(await refusal(typed, ['whoami'])).toEqual([2, `${message}\n`]);
    const kept = await run(['profiles', 'set', 'prod', '--url', typed]);
    expect([kept.code, kept.stderr]).toEqual([2, `${message}\n`]);
    const fromEnvironment = await run(['sessions', 'list'], { env: { EARSHOT_URL: typed } });
    expect([fromEnvironment.code, fromEnvironment.stderr]).toEqual([2, `${message}\n`]);
  });

  it('is not called unreachable where the key has a line break', async () => {
    const env = { EARSHOT_URL: 'http://127.0.0.1:9', EARSHOT_API_KEY: 'earshot_live_secret\nX' };
    const { code, stderr } = await run(['projects', 'list'], { env });
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/^The request to http:\/\/127\.0\.0\.1:9 cannot be made: /),
    ]);
    expect(stderr).not.toContain('secret');
  });

  it('of a broker is refused in the same way', async () => {
    const { code, stderr } = await run(['topics', 'tail', 'x', '--mqtt-url', '127.0.0.1:1883']);
    expect([code, stderr]).toEqual([2, '127.0.0.1:1883 is no address: write mqtt://127.0.0.1:1883.\n']);
  });

  it('where nobody listens is one to start a daemon at, or to correct', async () => {
    expect(await refusal('http://127.0.0.1:9', ['whoami'])).toEqual([
      7,
      'No daemon answers at http://127.0.0.1:9. Start one with `npm start`, or set another address with EARSHOT_URL.\n',
    ]);
  });

  it('of a host that does not exist says so', async () => {
    const [code, said] = await refusal('http://no-such-host.invalid:8080', ['whoami']);
    expect([code, said]).toEqual([7, expect.stringContaining('There is no host no-such-host.invalid.')]);
    expect(said).not.toContain('npm start');
  });

  it('that speaks no TLS is written with http', async () => {
    const plain: Server = createServer((_, answer) => answer.end('{}'));
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
    const { port } = plain.address() as AddressInfo;
    expect(await refusal(`https://127.0.0.1:${port}`, ['whoami'])).toEqual([
      7,
      `The server at https://127.0.0.1:${port} does not speak TLS. Write http://127.0.0.1:${port} instead.\n`,
    ]);
    plain.close();
  });
});

describe.skipIf(!hasOpenssl)('a daemon with a self-signed certificate', () => {
  let daemon: TestDaemon;
  let cert: string;
  beforeAll(async () => {
    const files = writeCertificate(folder, 'self-signed');
    cert = files.cert;
    const settings = { EARSHOT_TLS_CERT: files.cert, EARSHOT_TLS_KEY: files.key };
    const trusting = process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'; // for the client of the test itself
    daemon = await startDaemon({ settings });
    if (trusting === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    else process.env.NODE_TLS_REJECT_UNAUTHORIZED = trusting;
  });
  afterAll(() => daemon.stop());

  /** In a process of its own: Node.js reads NODE_EXTRA_CA_CERTS when it starts. */
  const inProcess = async (args: readonly string[], env: Readonly<Record<string, string>>) => {
    const program = createRequire(import.meta.url).resolve('../../bin/earshot.js');
    const usual = { PATH: process.env.PATH ?? '', XDG_CONFIG_HOME: folder, EARSHOT_URL: daemon.url };
    const child = spawn(process.execPath, [program, ...args], {
      env: { ...usual, EARSHOT_API_KEY: daemon.apiKey, ...env },
    });
    const [out, err] = [text(child.stdout), text(child.stderr)];
    const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
    return { code, said: (await out) + (await err) };
  };

  it('is refused with the variable that trusts it, which helps', async () => {
    const { code, said } = await inProcess(['whoami'], {});
    expect([code, said]).toEqual([7, expect.stringContaining(`certificate of ${daemon.url} is not trusted`)]);
    expect(said).toContain('NODE_EXTRA_CA_CERTS');
    expect(said).not.toContain('npm start');
    const trusted = await inProcess(['whoami'], { NODE_EXTRA_CA_CERTS: cert });
    expect(trusted.code, trusted.said).toBe(0);
  });

  it('is refused on a stream and by the broker too', async () => {
    for (const command of ['events tail', 'topics tail', `topics tail --mqtt-url ${daemon.mqttUrl}`]) {
      const { code, said } = await inProcess([...command.split(' '), '--project', daemon.projectId], {});
      expect([command, code, said]).toEqual([command, 7, expect.stringContaining('is not trusted: it is self-signed')]);
    }
  });

  it('is written with https', async () => {
    const plain = daemon.url.replace('https', 'http');
    const { code, said } = await inProcess(['whoami', '--url', plain], {});
    expect([code, said]).toEqual([7, expect.stringContaining(`write ${daemon.url} instead`)]);
  });
});

describe.skipIf(!hasNginx)('a proxy that passes no upgrade on', () => {
  it('is named where a WebSocket is needed', async () => {
    const daemon = await startDaemon();
    const proxy = await startNginx(daemon.url);
    const env = { EARSHOT_API_KEY: daemon.apiKey, EARSHOT_PROJECT: daemon.projectId };
    const { code, stderr } = await run(['topics', 'tail', '--url', proxy.url], { env });
    await proxy.stop();
    await daemon.stop();
    const place = `${proxy.url.replace('http', 'ws')}/mqtt`;
    expect([code, stderr]).toEqual([
      7,
      `The server at ${place} opens no WebSocket. A proxy in between must forward the headers Upgrade and Connection for /mqtt.\n`,
    ]);
  });
});
