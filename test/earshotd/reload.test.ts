/** SIGHUP: a running daemon reads its settings again, and goes on with the old ones where the new ones are wrong. */
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasOpenssl, writeCertificate } from '../support/certificates.js';
import { DaemonProcess } from '../support/daemon-process.js';
import { eventually } from '../support/eventually.js';

const folder = mkdtempSync(join(tmpdir(), 'earshot-reload-'));
const file = join(folder, 'earshot.yaml');

const certificateOf = (name: string) => {
  mkdirSync(join(folder, name));
  return writeCertificate(join(folder, name), name);
};

/** Asks on a connection of its own: the limit that the answer states, and whose certificate it came with. */
async function ask(url: string) {
  const request = https.get(`${url}/api/projects`, { rejectUnauthorized: false, agent: false });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  const subject = (answer.socket as TLSSocket).getPeerCertificate().subject.CN;
  answer.resume();
  return { limit: answer.headers['ratelimit-limit'], subject };
}

describe.skipIf(!hasOpenssl)('SIGHUP', () => {
  const daemon = new DaemonProcess({ EARSHOT_CONFIG: file, EARSHOT_RATE_LIMIT_CREDENTIAL: '5000' });
  const written = (settings: Record<string, string | number>) => writeFileSync(file, JSON.stringify(settings)); // JSON is YAML
  const files = (name: string) => {
    const { cert, key } = certificateOf(name);
    return { EARSHOT_TLS_CERT: cert, EARSHOT_TLS_KEY: key };
  };
  const reloaded = async (sentence: string) => {
    const before = daemon.printed.length;
    process.kill(daemon.pid ?? 0, 'SIGHUP');
    return eventually(() => {
      const line = daemon.printed.slice(before).find((one) => one.includes(sentence));
      expect(line).toBeDefined();
      return JSON.parse(line ?? '');
    });
  };

  beforeAll(async () => {
    written({ ...files('first'), EARSHOT_RATE_LIMIT_ADDRESS: 900 });
    await daemon.start();
  });
  afterAll(async () => {
    await daemon.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  it('takes over limits, retention, the log level and other certificates, and says what needs a restart', async () => {
    expect(await ask(daemon.url)).toEqual({ limit: '900', subject: 'first' });
    written({
      ...files('second'),
      EARSHOT_RATE_LIMIT_ADDRESS: 700,
      EARSHOT_RATE_LIMIT_CREDENTIAL: 1,
      EARSHOT_EVENT_RETENTION_DAYS: 3,
      EARSHOT_LOG_LEVEL: 'debug',
      EARSHOT_ROOM_PROCESSES: 2,
    });
    const { changed } = await reloaded('settings were read again');
    // The environment still comes before the file.
    expect(changed.toSorted()).toEqual([
      'EARSHOT_EVENT_RETENTION_DAYS',
      'EARSHOT_LOG_LEVEL',
      'EARSHOT_RATE_LIMIT_ADDRESS',
      'EARSHOT_TLS_CERT',
      'EARSHOT_TLS_KEY',
    ]);
    await eventually(async () => expect(await ask(daemon.url)).toEqual({ limit: '700', subject: 'second' }));
    const restart = daemon.printed.find((line) => line.includes('need a restart')) ?? '{}';
    expect(JSON.parse(restart).settings).toEqual(['EARSHOT_ROOM_PROCESSES']);
    await eventually(() => expect(daemon.printed.some((line) => line.includes('"level":"debug"'))).toBe(true));
  });

  it('takes over how many connections an address may have, and what is to stay free of the disk', async () => {
    const { port } = new URL(daemon.url);
    const held = await Promise.all(
      [1, 2, 3].map(async () => {
        const socket = connect({ host: '127.0.0.1', port: Number(port), rejectUnauthorized: false });
        await once(socket, 'secureConnect');
        return socket.on('error', () => {});
      }),
    );
    const open = () => held.filter((socket) => !socket.closed).length;
    await ask(daemon.url);
    expect(open()).toBe(3);
    const before = { EARSHOT_RATE_LIMIT_ADDRESS: 700, EARSHOT_LOG_LEVEL: 'debug' };
    written({ ...files('third'), ...before, EARSHOT_CONNECTIONS_ADDRESS: 3, EARSHOT_DISK_RESERVE_MB: 900_000_000 });
    const { changed } = await reloaded('settings were read again');
    expect(changed).toEqual(expect.arrayContaining(['EARSHOT_CONNECTIONS_ADDRESS', 'EARSHOT_DISK_RESERVE_MB']));
    await ask(daemon.url);
    await eventually(() => expect(open()).toBe(2)); // one that was idle made room
    for (const socket of held) socket.destroy();
    const told = () => daemon.printed.some((line) => line.includes('there is no room for the database'));
    await eventually(() => expect(told()).toBe(true), 30_000);
  });

  it('leaves what is in force where the file is wrong', async () => {
    writeFileSync(file, 'EARSHOT_RATE_LIMIT_ADDRESS: 600\nEARSHOT_LOG_LEVEL: loud\n');
    const { err } = await reloaded('were not read again');
    expect(err.message).toMatch(/EARSHOT_LOG_LEVEL.*earshot\.yaml, line 2/);
    expect(await ask(daemon.url)).toEqual({ limit: '700', subject: 'third' });
    expect(daemon.running).toBe(true);
  });
});
