import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { controlPath, toLine } from '../../daemon/admin-socket/wire.js';
import { DataFolderLock } from '../../daemon/platform/database/data-folder-lock.js';
import { version } from '../../daemon/platform/version.js';
import { startDaemon } from '../support/daemon.js';
import { inSqlite } from '../support/database.js';
import { startIdentityProvider } from '../support/identity-provider.js';
import { earshotd } from '../support/program.js';

const ports = { EARSHOT_PORT: '0', EARSHOT_MQTT_PORT: '0', EARSHOT_MEDIA_PORT: '0', EARSHOT_TRANSCRIBER: 'off' };
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'earshot-doctor-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the text of each check, and the exit code. */
async function examined(env: Readonly<Record<string, string>> = {}, dataDir = folder) {
  const { code, stdout, stderr } = await earshotd(dataDir, ['doctor'], { env: { ...ports, ...env } });
  expect(stderr).toBe('');
  const lines = stdout.trimEnd().split('\n');
  return { code, checks: Object.fromEntries(lines.map((line) => [line.slice(9, 22).trim(), line])) };
}

describe('earshotd doctor', () => {
  it('finds nothing in the way of a first start, and changes nothing', async () => {
    const { code, checks } = await examined();
    expect(code).toBe(0);
    expect(checks.version).toBe(`ok       version      earshotd ${version}, Node.js ${process.version}`);
    expect(checks.database).toMatch(/^ok .*will be created by the first start$/);
    expect(checks.memory).toMatch(/^ok .*\d+ MiB; the daemon needs Node\.js 20\.19 or newer and 512 MiB of memory/);
    expect(checks['voice rooms']).toBe('ok       voice rooms  the room process starts');
    expect(checks.speech).toMatch(/^warning .*EARSHOT_TRANSCRIBER=auto/);
    expect(Object.values(checks).filter((line) => line.startsWith('problem'))).toEqual([]);
  });

  it('says that the daemon that runs is of another version', async () => {
    const dataDir = mkdtempSync(join(folder, 'other-version-'));
    const lock = new DataFolderLock(dataDir);
    lock.acquire();
    const answer = toLine({ answer: '9.9.9+0123456789ab' });
    const daemon = createServer((socket) => socket.once('data', () => socket.end(answer)));
    await once(daemon.listen(controlPath(dataDir)), 'listening');
    const { checks } = await examined({}, dataDir);
    daemon.close();
    lock.release();
    expect(checks.version).toBe(
      `warning  version      earshotd ${version}, Node.js ${process.version}; the daemon that runs is 9.9.9+0123456789ab. Restart it.`,
    );
  });

  it('names the setting of a port that is taken', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? String(address.port) : '';
    const { code, checks } = await examined({ EARSHOT_PORT: port });
    server.close();
    expect(code).toBe(1);
    expect(checks['HTTP port']).toBe(
      `problem  HTTP port    Port ${port} on 127.0.0.1 is taken. Set EARSHOT_PORT to another one.`,
    );
  });

  it('says when requests come through a proxy that the settings do not name', async () => {
    const daemon = await startDaemon({ settings: inSqlite });
    try {
      await fetch(`${daemon.url}/api`);
      expect((await examined({}, daemon.dataDir)).checks.proxy).toMatch(/^ok /);
      await fetch(`${daemon.url}/api`, { headers: { 'X-Forwarded-For': '203.0.113.9' } });
      const { code, checks } = await examined({}, daemon.dataDir);
      expect(code).toBe(0);
      expect(checks.proxy).toMatch(/^warning .*Set EARSHOT_TRUSTED_PROXIES=127\.0\.0\.1, and EARSHOT_PUBLIC_URL/);
    } finally {
      await daemon.stop();
    }
    const trusting = await startDaemon({ settings: { ...inSqlite, EARSHOT_TRUSTED_PROXIES: '127.0.0.1' } });
    try {
      await fetch(`${trusting.url}/api`, { headers: { 'X-Forwarded-For': '203.0.113.9' } });
      expect((await examined({}, trusting.dataDir)).checks.proxy).toMatch(/^ok /);
    } finally {
      await trusting.stop();
    }
  });

  it('signs in at the identity provider as the client of the settings, and says what is wrong', async () => {
    const provider = await startIdentityProvider();
    try {
      const doctor = async (env: Readonly<Record<string, string>>) =>
        (await examined({ ...provider.settings, ...env })).checks['sign-in'];
      expect(await doctor({})).toBe(`ok       sign-in      people can sign in at ${provider.url}`);
      expect(await doctor({ EARSHOT_IDENTITY_CLIENT_SECRET: 'wrong' })).toMatch(
        /^warning .*refuses the client earshot with this secret.*EARSHOT_IDENTITY_CLIENT_SECRET/,
      );
      provider.alter('discovery', { issuer: 'https://other.example' });
      expect(await doctor({})).toMatch(/^warning .*speaks for https:\/\/other\.example; set EARSHOT_IDENTITY_URL/);
    } finally {
      await provider.stop();
    }
    expect((await examined(provider.settings)).checks['sign-in']).toMatch(/^warning .*does not answer/);
  });

  it('tells of a damaged database, a key that others can read, and a server that does not answer', async () => {
    writeFileSync(join(folder, 'earshot.db'), 'this is no database, whatever its name says'.repeat(100));
    const ring = join(folder, 'key-ring.json');
    const key = { id: 'a', key: '0'.repeat(64), createdAt: '2026-01-01T00:00:00.000Z' };
    writeFileSync(ring, JSON.stringify({ current: 'a', keys: [key] }));
    chmodSync(ring, 0o644);
    const broken = await examined();
    expect(broken.code).toBe(1);
    expect(broken.checks.database).toMatch(/^problem .*not a database of Earshot, or is damaged/);
    expect(broken.checks['master key']).toMatch(/^warning .*chmod 600/);
    const unreachable = await examined({ DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none' });
    expect(unreachable.checks.database).toMatch(/^problem .*ECONNREFUSED/);
  });
});
