/** SIGHUP: a running daemon reads its settings again, and goes on with the old ones where the new ones are wrong. */
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
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

  it('leaves what is in force where the file is wrong', async () => {
    writeFileSync(file, 'EARSHOT_RATE_LIMIT_ADDRESS: 600\nEARSHOT_LOG_LEVEL: loud\n');
    const { err } = await reloaded('were not read again');
    expect(err.message).toMatch(/EARSHOT_LOG_LEVEL.*earshot\.yaml, line 2/);
    expect(await ask(daemon.url)).toEqual({ limit: '700', subject: 'second' });
    expect(daemon.running).toBe(true);
  });
});
