/** Rotation of the master key: killed on the way, taken up again, with calls going on; and keys that come from elsewhere. */
import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { uuidv7 } from 'uuidv7';
import { afterEach, describe, expect, it } from 'vitest';
import { askDaemon } from '../../daemon/admin-socket/client.js';
import type { Database } from '../../daemon/platform/database/database.js';
import { Refused } from '../../daemon/platform/refused.js';
import { rotateKey } from '../../daemon/platform/secrets/admin-operations.js';
import { KeyRing, parseRing } from '../../daemon/platform/secrets/key-ring.js';
import { SecretBox, unwrap, type WrappedDataKey, wrap } from '../../daemon/platform/secrets/secret-box.js';
import { DataKeyRows, HandoverRows } from '../../daemon/platform/secrets/stores.js';
import { systemClock } from '../../daemon/platform/time/clock.js';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { DaemonUnreachable } from '../../src/client/errors.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { apiKeyRoutes } from '../../src/contract/identity/api-keys.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { settingsRoutes } from '../../src/contract/projects/settings.js';
import { startDaemon } from '../support/daemon.js';
import { administrator, DaemonProcess } from '../support/daemon-process.js';
import { inSqlite, openPostgresql, openSqlite } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { hasPostgresql, startPostgresql } from '../support/postgresql.js';
import { earshotd } from '../support/program.js';
import { scale } from '../support/scale.js';

/** So many that a rotation takes seconds, and nobody misses the moment to end it. */
const dataKeys = scale(2_000, 10_000);
/** Data keys that are looked at afterwards. */
const lookedAt = 20;

const folders: string[] = [];
const running: DaemonProcess[] = [];
afterEach(async () => {
  for (const daemon of running.splice(0)) await daemon.dispose();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});
const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-keys-'));
  folders.push(folder);
  return folder;
};

async function adminOf(daemon: DaemonProcess) {
  const anonymous = new EarshotClient({ baseUrl: daemon.url });
  const { accessToken } = await anonymous.call(accountRoutes.loginCredentials, { body: administrator });
  const client = new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token: accessToken } });
  const [project] = await client.call(projectRoutes.list, {});
  return { client, params: { projectId: project?.id ?? '' } };
}
type Administrator = Awaited<ReturnType<typeof adminOf>>;

const ringOf = (dataDir: string) => parseRing(readFileSync(join(dataDir, 'key-ring.json'), 'utf8'));
const boxOf = (ring: KeyRing, database: Database) =>
  new SecretBox(ring, new DataKeyRows(database, systemClock), new HandoverRows(database, systemClock), systemClock);
const openRing = (dataDir: string) => KeyRing.open(join(dataDir, 'key-ring.json'), systemClock);

/** The database itself, beside the daemon. */
function database<T>(dataDir: string, work: (database: BetterSqlite3.Database) => T): T {
  const opened = new BetterSqlite3(join(dataDir, 'earshot.db'));
  try {
    return work(opened);
  } finally {
    opened.close();
  }
}
const dataKeysOf = (dataDir: string): WrappedDataKey[] =>
  database(dataDir, (rows) => rows.prepare('SELECT id, masterKeyId, wrapped FROM DataKey').all() as WrappedDataKey[]);

/** Puts data keys beside the one that is there; returns what they are. */
async function addDataKeys(dataDir: string): Promise<ReadonlyMap<string, Buffer>> {
  const { current } = await openRing(dataDir);
  const keys = new Map(Array.from({ length: dataKeys }, () => [uuidv7(), randomBytes(32)] as const));
  database(dataDir, (rows) => {
    const insert = rows.prepare('INSERT INTO DataKey (id, masterKeyId, wrapped, createdAt) VALUES (?, ?, ?, ?)');
    rows.transaction(() => {
      for (const [id, key] of keys)
        insert.run(id, current.id, wrap(current, id, key).wrapped, new Date().toISOString());
    })();
  });
  return keys;
}
async function expectOpen(dataDir: string, keys: ReadonlyMap<string, Buffer>): Promise<void> {
  const ring = await openRing(dataDir);
  const rows = new Map(dataKeysOf(dataDir).map((row) => [row.id, row]));
  for (const [id, key] of keys) {
    const row = rows.get(id);
    expect(row !== undefined && unwrap(ring, row).equals(key)).toBe(true);
  }
}

/** Writes and reads secrets until it is stopped; resolves to the last password that was acknowledged. */
function callOn({ client, params }: Administrator, secret: string) {
  let calling = true;
  let acknowledged = '';
  let calls = 0;
  const done = (async () => {
    for (; calling; calls += 1) {
      const body = { mode: 'manual', password: `password ${calls}` } as const;
      const answer = await client.call(settingsRoutes.e2eEncryption, { params, body });
      expect(answer.e2eEncryptionPassword).toBe(body.password);
      acknowledged = body.password;
      expect(await client.call(settingsRoutes.secret, { params })).toEqual({ secret });
    }
  })();
  const failed = done.then(
    () => null,
    (error: unknown) => error,
  );
  return {
    started: () => eventually(() => expect(calls).toBeGreaterThan(0)),
    async stop() {
      calling = false;
      expect(await failed).toBeNull();
      return calls;
    },
    /** Resolves when a call fails, because the daemon is gone. */
    async cutOff() {
      expect(await failed).toBeInstanceOf(DaemonUnreachable);
      return { calls, acknowledged };
    },
  };
}

describe('the first start', () => {
  it.skipIf(!hasPostgresql)('makes one data key, however many daemons start at once', async () => {
    const { database, close } = await openPostgresql();
    try {
      const ring = await KeyRing.open(join(newFolder(), 'key-ring.json'), systemClock);
      const boxes = Array.from({ length: 8 }, () => boxOf(ring, database));
      await Promise.all(boxes.map((box) => box.start()));
      const sealed = boxes.map((box) => box.seal('what is kept', 'here'));
      for (const box of boxes) for (const one of sealed) expect(box.open(one, 'here')).toBe('what is kept');
      expect(await database.read.dataKey.count()).toBe(1);
    } finally {
      await close();
    }
  });
});

describe('earshotd rotate-key', { timeout: 180_000 }, () => {
  it('is taken up again where the daemon was killed, with calls going on, and loses nothing', async () => {
    const daemon = new DaemonProcess(inSqlite);
    running.push(daemon);
    await daemon.start();
    const { dataDir } = daemon;
    const administrators = await adminOf(daemon);
    const { client, params } = administrators;
    await client.call(settingsRoutes.syncSecret, { params });
    const { secret } = await client.call(settingsRoutes.secret, { params });
    const keys = await addDataKeys(dataDir);
    const before = ringOf(dataDir);

    const calling = callOn(administrators, secret);
    await calling.started();
    const rotating = askDaemon(dataDir, rotateKey, {}).catch((error: unknown) => error);
    const moved = () => dataKeysOf(dataDir).filter(({ masterKeyId }) => masterKeyId !== before.current).length;
    await eventually(() => expect(moved()).toBeGreaterThan(0));
    await daemon.end('SIGKILL');
    const { calls, acknowledged } = await calling.cutOff();
    expect(await rotating).toBeInstanceOf(Refused);
    const half = ringOf(dataDir);
    expect(half).toMatchObject({ current: before.current, next: expect.any(String) });
    expect(moved()).toBeGreaterThan(0);
    expect(moved()).toBeLessThan(dataKeys);
    await expectOpen(dataDir, keys);
    // They were wrapped anew in this order: what is left are some that were, and some that were not.
    const ids = [...keys.keys()];
    const few = new Map(
      [...ids.slice(0, lookedAt), ...ids.slice(-lookedAt)].map((id) => [id, keys.get(id) ?? Buffer.alloc(0)]),
    );
    database(dataDir, (rows) =>
      rows.transaction(() => {
        for (const id of ids) if (!few.has(id)) rows.prepare('DELETE FROM DataKey WHERE id = ?').run(id);
      })(),
    );

    await daemon.start();
    const after = ringOf(dataDir);
    expect(after).toEqual({ current: half.next, keys: half.keys });
    expect(after.keys.map(({ id }) => id)).toEqual([before.current, after.current]);
    expect(new Set(dataKeysOf(dataDir).map(({ masterKeyId }) => masterKeyId))).toEqual(new Set([after.current]));
    await expectOpen(dataDir, few);
    const again = await adminOf(daemon);
    expect(await again.client.call(settingsRoutes.secret, { params })).toEqual({ secret });
    const { e2eEncryptionPassword: kept } = await again.client.call(settingsRoutes.get, { params });
    // One call more may have been on its way.
    expect([acknowledged, `password ${calls}`]).toContain(kept);

    const callingAgain = callOn(again, secret);
    const rotated = await earshotd(dataDir, ['rotate-key']);
    expect(await callingAgain.stop()).toBeGreaterThan(0);
    expect(rotated).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(`^rotated: ${2 * lookedAt + 1} data keys`),
    });
    expect(ringOf(dataDir).keys.map(({ id }) => id)).toEqual([before.current, after.current, ringOf(dataDir).current]);
    expect(statSync(join(dataDir, 'key-ring.json')).mode & 0o777).toBe(0o600);
    await expectOpen(dataDir, few);
  });

  it('goes on after it was cut off between two data keys', async () => {
    const { database, close } = await openSqlite();
    const path = join(newFolder(), 'key-ring.json');
    try {
      const rows = new DataKeyRows(database, systemClock);
      const ring = await KeyRing.open(path, systemClock);
      const box = boxOf(ring, database);
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
      const later = boxOf(reopened, database);
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
    const dataDir = newFolder();
    const withKey = (key = '') =>
      startDaemon({ settings: { ...inSqlite, EARSHOT_DATA_DIR: dataDir, EARSHOT_MASTER_KEY: key } });
    const first = await withKey(old);
    const params = { projectId: first.projectId };
    await first.admin.call(settingsRoutes.syncSecret, { params });
    const { secret } = await first.admin.call(settingsRoutes.secret, { params });
    const exported = await earshotd(dataDir, ['key', 'export'], { env: { EARSHOT_MASTER_KEY: old ?? '' } });
    expect(exported.code).toBe(0);
    expect(parseRing(exported.stdout).keys).toMatchObject([{ key: old }]);
    await first.stop();

    await expect(withKey(fresh)).rejects.toThrow(/put the key ring of another one/);
    writeFileSync(join(dataDir, 'key-ring.json'), exported.stdout, { mode: 0o600 });
    const second = await withKey(fresh);
    expect(await askDaemon(dataDir, rotateKey, {})).toMatchObject({ dataKeys: 1 });
    await second.stop();
    rmSync(join(dataDir, 'key-ring.json'));
    const third = await withKey(fresh);
    expect(await third.admin.call(settingsRoutes.secret, { params })).toEqual({ secret });
    await third.stop();
  });
});

describe.skipIf(!hasPostgresql)('the master key of several daemons', { timeout: 120_000 }, () => {
  it('is rotated once by rotations at the same time, and found by a daemon that starts later', async () => {
    const { database, close } = await openPostgresql();
    try {
      const [one, two, three] = [newFolder(), newFolder(), newFolder()];
      const start = async (folder: string) => {
        const ring = await openRing(folder);
        const box = boxOf(ring, database);
        await box.start();
        await box.resumeRotation();
        return { ring, box };
      };
      const first = await start(one);
      for (const folder of [two, three]) copyFileSync(join(one, 'key-ring.json'), join(folder, 'key-ring.json'));
      const [second, third] = [await start(two), await start(three)];
      const sealed = first.box.seal('what is kept', 'here');

      const both = await Promise.all([first, second, first].map(({ box }) => box.rotateMasterKey()));
      expect(new Set(both.map(({ masterKeyId }) => masterKeyId)).size).toBe(1);
      const masterKeyId = both[0]?.masterKeyId ?? '';
      expect([ringOf(one).current, ringOf(two).current]).toEqual([masterKeyId, masterKeyId]);
      const rows = await new DataKeyRows(database, systemClock).list();
      expect(rows.map((row) => row.masterKeyId)).toEqual([masterKeyId]);

      expect(third.box.open(sealed, 'here')).toBe('what is kept');
      expect(await third.box.rotateMasterKey()).toEqual({ masterKeyId, dataKeys: 0 });
      const next = await first.box.rotateMasterKey();
      expect(next).toMatchObject({ dataKeys: 1 });
      expect(next.masterKeyId).not.toBe(masterKeyId);
      const restarted = await start(three);
      expect(restarted.box.open(sealed, 'here')).toBe('what is kept');
      expect(ringOf(three)).toMatchObject({ current: next.masterKeyId });
    } finally {
      await close();
    }
  });

  it('is refused to a daemon whose EARSHOT_MASTER_KEY is older, until it has the new one', async () => {
    const { database, close } = await openPostgresql();
    try {
      const [old = '', fresh = ''] = ['a', 'b'].map((digit) => digit.repeat(64));
      const fixed = async (key: string, folder: string) => {
        const box = boxOf(await KeyRing.open(join(folder, 'key-ring.json'), systemClock, key), database);
        await box.start();
        return box;
      };
      const [here, there] = [newFolder(), newFolder()];
      const sealed = (await fixed(old, there)).seal('what is kept', 'here');
      writeFileSync(
        join(here, 'key-ring.json'),
        JSON.stringify((await KeyRing.open(join(here, 'none'), systemClock, old)).export()),
      );
      await (await fixed(fresh, here)).rotateMasterKey();
      const behind = await fixed(old, there);
      expect(behind.open(sealed, 'here')).toBe('what is kept');
      expect(await behind.isBehind()).toBe(true);
      await expect(behind.rotateMasterKey()).rejects.toThrow(/older master key/);
      expect(await (await fixed(fresh, there)).isBehind()).toBe(false);
    } finally {
      await close();
    }
  });

  it('is asked for by a start without it, which leaves no key ring behind', async () => {
    const server = await startPostgresql();
    const settings = { DATABASE_URL: server.url, EARSHOT_ROLES: 'http' };
    const [first, second] = [new DaemonProcess(settings), new DaemonProcess(settings)];
    running.push(first, second);
    try {
      await first.start();
      await expect(second.start()).rejects.toThrow(/Daemons of one database share the master key/);
      expect(existsSync(join(second.dataDir, 'key-ring.json'))).toBe(false);
      const exported = await earshotd(first.dataDir, ['key', 'export'], { env: { DATABASE_URL: server.url } });
      writeFileSync(join(second.dataDir, 'key-ring.json'), exported.stdout, { mode: 0o600 });
      await second.start();
      await askDaemon(first.dataDir, rotateKey, {});
      await second.end('SIGTERM');
      await second.start();
      expect(ringOf(second.dataDir).current).toBe(ringOf(first.dataDir).current);
    } finally {
      for (const daemon of running.splice(0)) await daemon.dispose();
      await server.stop();
    }
  });
});

describe('earshotd key renew', { timeout: 120_000 }, () => {
  it('ends at the next start what the old key signed, and nothing else', async () => {
    const daemon = new DaemonProcess(inSqlite);
    running.push(daemon);
    await daemon.start();
    const { client, params } = await adminOf(daemon);
    const { key } = await client.call(apiKeyRoutes.create, { body: { name: 'server', scopes: ['participants'] } });
    const listed = await earshotd(daemon.dataDir, ['key', 'renew']);
    expect(listed.stdout).toMatch(/^user-tokens +logins of people$/m);
    expect(await earshotd(daemon.dataDir, ['key', 'renew', 'user-token'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There are user-tokens, '),
    });
    const renewed = await earshotd(daemon.dataDir, ['key', 'renew', 'user-tokens']);
    expect(renewed).toMatchObject({ code: 0, stderr: expect.stringContaining('logins of people') });
    await client.call(projectRoutes.list, {}); // until the restart
    await daemon.end('SIGTERM');
    await daemon.start();
    await expect(client.call(projectRoutes.list, {})).rejects.toMatchObject({ status: 401 });
    const server = new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'apiKey', key } });
    expect(await server.call(participantRoutes.list, { params })).toMatchObject({ total: expect.any(Number) });
    expect((await adminOf(daemon)).params).toEqual(params);
  });
});
