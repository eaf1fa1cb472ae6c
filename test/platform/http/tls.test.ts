/** TLS for HTTP and MQTT from files that are renewed while the daemon serves. */
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tls from 'node:tls';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Daemon } from '../../../daemon/daemon.js';
import { loadSettings } from '../../../daemon/platform/config/load.js';
import { TlsUnusable } from '../../../daemon/platform/http/sockets.js';
import { createLogger } from '../../../daemon/platform/observability/logger.js';
import { systemClock } from '../../../daemon/platform/time/clock.js';
import { hasOpenssl, writeCertificate } from '../../support/certificates.js';
import { eventually } from '../../support/eventually.js';
import { freePort } from '../../support/free-port.js';

/** Files are looked at every 2 s; a busy machine may take its time. */
const reloadWithinMs = 15_000;
let folder: string;
let daemon: Daemon;
const logged: string[] = [];
const files = () => ({ cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') });

const daemonOn = (flags: Record<string, string>) => {
  const { settings } = loadSettings({
    environment: {},
    flags: {
      EARSHOT_PORT: '0',
      EARSHOT_MQTT_PORT: '0',
      EARSHOT_MEDIA_PORT: '0',
      EARSHOT_TRANSCRIBER: 'off',
      EARSHOT_ADMIN_PASSWORD: 'a long enough password',
      EARSHOT_DATA_DIR: join(folder, 'data'),
      EARSHOT_TLS_CERT: files().cert,
      EARSHOT_TLS_KEY: files().key,
      ...flags,
    },
  });
  return new Daemon(settings, createLogger('info', { write: (line) => void logged.push(line) }), systemClock);
};

/** Common name of the certificate that a new connection is shown. */
async function shownBy(url: string): Promise<unknown> {
  const { hostname, port } = new URL(url);
  const socket = tls.connect({ host: hostname, port: Number(port), rejectUnauthorized: false });
  try {
    await once(socket, 'secureConnect');
    return socket.getPeerCertificate().subject.CN;
  } finally {
    socket.destroy();
  }
}

const get = (agent: https.Agent) =>
  new Promise<number | undefined>((resolve, reject) => {
    https
      .get(`${daemon.addresses.http}/api`, { agent }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode));
      })
      .on('error', reject);
  });

/** When the certificate ends, as the daemon's metrics say. */
const endInMetrics = () =>
  new Promise<Date>((resolve, reject) => {
    https
      .get(`${daemon.addresses.http}/metrics`, { rejectUnauthorized: false }, async (response) => {
        let text = '';
        for await (const part of response.setEncoding('utf8')) text += part;
        const [, seconds] = /^earshot_certificate_end_timestamp_seconds\S* (\d+)$/m.exec(text) ?? [];
        resolve(new Date(Number(seconds) * 1_000));
      })
      .on('error', reject);
  });
const endOfFile = () => new Date(new X509Certificate(readFileSync(files().cert)).validTo);

describe.skipIf(!hasOpenssl)('TLS', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'earshot-tls-'));
    writeCertificate(folder, 'first');
    daemon = daemonOn({ EARSHOT_MQTT_PORT: String(await freePort()) });
    await daemon.start();
  });
  afterAll(async () => {
    await daemon.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is spoken by HTTP and by MQTT', async () => {
    expect(daemon.addresses.http).toMatch(/^https:/);
    expect(daemon.addresses.mqtt).toMatch(/^mqtts:/);
    expect([await shownBy(daemon.addresses.http), await shownBy(daemon.addresses.mqtt)]).toEqual(['first', 'first']);
  });

  it('goes over to a renewed certificate while connections live on', async () => {
    const agent = new https.Agent({ keepAlive: true, maxSockets: 1, ca: readFileSync(files().cert) });
    expect(await get(agent)).toBe(200);
    expect(await endInMetrics()).toEqual(endOfFile());
    writeCertificate(folder, 'second', { from: new Date(), to: new Date(Date.now() + 40 * 86_400_000) });
    await eventually(async () => {
      expect(await endInMetrics()).toEqual(endOfFile());
      expect(await shownBy(daemon.addresses.http)).toBe('second');
      expect(await shownBy(daemon.addresses.mqtt)).toBe('second');
    }, reloadWithinMs);
    expect(await get(agent)).toBe(200);
    agent.destroy();
  }, 40_000);

  it('stays with the old certificate while the new one is half written', async () => {
    const { cert } = files();
    writeFileSync(cert, readFileSync(cert, 'utf8').slice(0, 100));
    await eventually(() => expect(logged.join()).toContain('the changed certificate cannot be used'), reloadWithinMs);
    expect(await shownBy(daemon.addresses.http)).toBe('second');
    writeCertificate(folder, 'third');
    await eventually(async () => expect(await shownBy(daemon.addresses.http)).toBe('third'), reloadWithinMs);
  }, 40_000);

  it('refuses to start on files that are no pair, and names the settings', async () => {
    const broken = join(folder, 'broken.pem');
    writeFileSync(broken, 'not a certificate');
    const start = daemonOn({ EARSHOT_TLS_CERT: broken, EARSHOT_DATA_DIR: join(folder, 'other') }).start();
    await expect(start).rejects.toThrow(TlsUnusable);
    await expect(start).rejects.toThrow(/EARSHOT_TLS_CERT .*broken\.pem/);
  });
});
