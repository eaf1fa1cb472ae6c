import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../daemon/clock.js';
import { KeyRing, parseRing } from '../../daemon/secrets/key-ring.js';
import { SecretBox } from '../../daemon/secrets/secret-box.js';
import { DataKeyRows } from '../../daemon/secrets/stores.js';
import { ApiClient } from '../../src/client/api-client.js';
import { accountRoutes } from '../../src/contract/accounts.js';
import { projectRoutes } from '../../src/contract/projects.js';
import { settingsRoutes } from '../../src/contract/settings.js';
import { administrator, DaemonProcess } from '../support/daemon-process.js';
import { openSqlite } from '../support/database.js';
import { earshotd } from '../support/program.js';

const running: DaemonProcess[] = [];
afterEach(async () => {
  for (const daemon of running.splice(0)) await daemon.dispose();
});

async function startDaemon(settings: Readonly<Record<string, string>> = {}): Promise<DaemonProcess> {
  const daemon = new DaemonProcess(settings);
  running.push(daemon);
  await daemon.start();
  return daemon;
}
async function adminOf(daemon: DaemonProcess) {
  const anonymous = new ApiClient({ baseUrl: daemon.url });
  const { accessToken } = await anonymous.call(accountRoutes.loginCredentials, { body: administrator });
  const client = new ApiClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token: accessToken } });
  const [project] = await client.call(projectRoutes.list, {});
  return { client, params: { projectId: project?.id ?? '' } };
}
const ringOf = (daemon: DaemonProcess) => parseRing(readFileSync(join(daemon.dataDir, 'key-ring.json'), 'utf8'));
function dataKeysOf(daemon: DaemonProcess): { masterKeyId: string }[] {
  const database = new BetterSqlite3(join(daemon.dataDir, 'earshot.db'), { readonly: true });
  try {
    return database.prepare('SELECT masterKeyId FROM DataKey').all() as { masterKeyId: string }[];
  } finally {
    database.close();
  }
}

describe('earshotd rotate-key', { timeout: 180_000 }, () => {
  it('wraps everything anew while secrets are written and read, and holds after a restart', async () => {
    const daemon = await startDaemon();
    const { client, params } = await adminOf(daemon);
    const before = ringOf(daemon);
    await client.call(settingsRoutes.syncSecret, { params });
    const { secret } = await client.call(settingsRoutes.secret, { params });
    let calls = 0;
    let rotating = true;
    const calling = (async () => {
      for (; rotating; calls += 1) {
        const password = `password ${calls}`;
        const body = { mode: 'manual', password } as const;
        const answer = await client.call(settingsRoutes.e2eEncryption, { params, body });
        expect(answer.e2eEncryptionPassword).toBe(password);
        expect(await client.call(settingsRoutes.secret, { params })).toEqual({ secret });
      }
    })();
    const rotated = await earshotd(daemon.dataDir, ['rotate-key']);
    rotating = false;
    await calling;
    expect(rotated).toMatchObject({ code: 0, stdout: expect.stringMatching(/^rotated: 1 data keys/) });
    expect(calls).toBeGreaterThan(0);

    const after = ringOf(daemon);
    expect(after.current).not.toBe(before.current);
    expect(after.keys.map(({ id }) => id)).toEqual([before.current, after.current]);
    expect(dataKeysOf(daemon)).toEqual([{ masterKeyId: after.current }]);
    expect(statSync(join(daemon.dataDir, 'key-ring.json')).mode & 0o777).toBe(0o600);

    await daemon.end('SIGKILL');
    await daemon.start();
    const again = await adminOf(daemon);
    expect(await again.client.call(settingsRoutes.secret, { params })).toEqual({ secret });
  });

  it('goes on after it was cut off between two data keys', async () => {
    const { database, close } = await openSqlite();
    const folder = new DaemonProcess();
    running.push(folder);
    const path = join(folder.dataDir, 'key-ring.json');
    try {
      const rows = new DataKeyRows(database, systemClock);
      const ring = await KeyRing.open(path, systemClock);
      const box = new SecretBox(ring, rows);
      await box.start();
      const sealed = box.seal('what is kept', 'here');
      const [first] = await rows.list();
      const { wrapped = '' } = first ?? {};
      await database.transaction((tx) =>
        tx.dataKey.create({ data: { id: 'zz', masterKeyId: ring.current.id, wrapped, createdAt: systemClock() } }),
      );
      // The second row was wrapped for another id, so unwrapping it fails: the rotation ends between the two.
      await expect(box.rotateMasterKey()).rejects.toThrow();
      const half = parseRing(readFileSync(path, 'utf8'));
      expect(half.next).toBeDefined();
      expect((await rows.list()).map(({ masterKeyId }) => masterKeyId)).toEqual([half.next, half.current]);
      await database.transaction((tx) => tx.dataKey.deleteMany({ where: { id: 'zz' } }));

      const reopened = await KeyRing.open(path, systemClock);
      const later = new SecretBox(reopened, rows);
      await later.start();
      expect(later.open(sealed, 'here')).toBe('what is kept');
      expect(await later.resumeRotation()).toEqual({ masterKeyId: half.next, dataKeys: 0 });
      expect(parseRing(readFileSync(path, 'utf8'))).toMatchObject({ current: half.next });
      expect(await later.resumeRotation()).toBeNull();
      expect((await rows.list()).map(({ id }) => id)).toEqual([first?.id]);
    } finally {
      await close();
    }
  });

  it('goes to a key from the environment, by way of the exported ring', async () => {
    const [old, fresh] = ['a', 'b'].map((digit) => digit.repeat(64));
    const first = await startDaemon({ EARSHOT_MASTER_KEY: old ?? '' });
    const { client, params } = await adminOf(first);
    await client.call(settingsRoutes.syncSecret, { params });
    const { secret } = await client.call(settingsRoutes.secret, { params });
    const exported = await earshotd(first.dataDir, ['key', 'export'], { env: { EARSHOT_MASTER_KEY: old ?? '' } });
    expect(exported.code).toBe(0);
    expect(parseRing(exported.stdout).keys).toMatchObject([{ key: old }]);
    await first.end('SIGTERM');

    const settings = { EARSHOT_MASTER_KEY: fresh ?? '', EARSHOT_DATA_DIR: first.dataDir };
    await expect(new DaemonProcess(settings).start()).rejects.toThrow(/put the key ring back/);
    writeFileSync(join(first.dataDir, 'key-ring.json'), exported.stdout, { mode: 0o600 });
    const second = new DaemonProcess(settings);
    running.push(second);
    await second.start();
    expect((await earshotd(first.dataDir, ['rotate-key'])).stdout).toMatch(/^rotated: 1/);
    await second.end('SIGKILL');
    rmSync(join(first.dataDir, 'key-ring.json'));
    await second.start();
    const again = await adminOf(second);
    expect(await again.client.call(settingsRoutes.secret, { params })).toEqual({ secret });
  });
});
