/** Backups in a real S3 server, and a point in time by Litestream. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RestoreDrill } from '../../../daemon/modules/installation/restore-drill.js';
import { StoredBackups } from '../../../daemon/modules/installation/stored-backups.js';
import { loadSettings } from '../../../daemon/platform/config/load.js';
import { backupName, readBackupName } from '../../../daemon/platform/database/backup.js';
import { BackupStore } from '../../../daemon/platform/database/backup-store.js';
import { DaemonProcess } from '../../support/daemon-process.js';
import { inSqlite } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { freePort } from '../../support/free-port.js';
import { earshotd } from '../../support/program.js';

const program = (name: string) => fileURLToPath(new URL(`.installed/${name}`, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'earshot-stored-'));
const children: ChildProcess[] = [];
const run = (...[name = '', ...args]: string[]): ChildProcess => {
  const child = spawn(program(name), args, {
    stdio: 'ignore',
    env: { ...process.env, ROOT_ACCESS_KEY: 'earshot', ROOT_SECRET_KEY: 'a-secret-key' },
  });
  children.push(child);
  return child;
};
const end = async (child: ChildProcess, signal: NodeJS.Signals) => {
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
};
afterAll(async () => {
  for (const child of children) if (child.exitCode === null && child.signalCode === null) await end(child, 'SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const dataDir = join(folder, 'data');
const daemon = new DaemonProcess({ ...inSqlite, EARSHOT_DATA_DIR: dataDir });
beforeAll(async () => {
  mkdirSync(dataDir, { mode: 0o700 });
  await daemon.start();
}, 120_000);
afterAll(() => daemon.dispose());

describe('an S3-compatible store', { timeout: 240_000 }, () => {
  const objects = join(folder, 'objects');
  const local = join(folder, 'local');
  const env: Record<string, string> = {
    EARSHOT_BACKUP_FOLDER: local,
    EARSHOT_BACKUP_S3_KEY_ID: 'earshot',
    EARSHOT_BACKUP_S3_SECRET: 'a-secret-key',
  };
  const lines: string[] = [];
  const log = (_: unknown, text: string) => void lines.push(text);
  const logger = { info: log, error: log } as never;
  const keep = () => ({ days: 2, weeks: 0, months: 0 });
  let store: BackupStore;
  let stored: StoredBackups;
  let server: ChildProcess;
  let port = 0;
  const serve = async () => {
    server = run('versitygw', '--port', `127.0.0.1:${port}`, 'posix', objects);
    await eventually(() => fetch(`http://127.0.0.1:${port}/`));
  };
  const scheduled = (day: number) =>
    backupName(() => new Date(Date.UTC(2026, 10, day, 4, 30)), { scheduled: true, compressed: true });
  const inStore = async () => (await store.list()).map(({ name }) => name).sort();

  beforeAll(async () => {
    for (const one of [join(objects, 'bucket'), local]) mkdirSync(one, { recursive: true });
    port = await freePort();
    env.EARSHOT_BACKUP_S3_URL = `http://127.0.0.1:${port}/bucket/of/earshot`;
    await serve();
    const { settings } = loadSettings({ environment: env });
    const made = BackupStore.of(settings);
    if (made === null) throw new Error('There is no store.');
    store = made;
    const names = () =>
      readdirSync(local)
        .map(readBackupName)
        .filter((one) => one !== null);
    const backups = { folder: local, scheduled: async () => names() };
    const withRecordings = () => true;
    stored = new StoredBackups({ dataDir, backups, store, withRecordings, recipient: undefined, keep, logger });
  });

  it('gets backups and recordings; it keeps the days, and the folder the newest', async () => {
    mkdirSync(join(dataDir, 'audio'), { recursive: true });
    writeFileSync(join(dataDir, 'audio', 'one.wav'), 'sound');
    for (const day of [1, 2, 3]) {
      expect((await earshotd(dataDir, ['backup', join(local, scheduled(day))])).code).toBe(0);
      await stored.bring();
      expect(stored.failures).toBe(0);
    }
    expect(await inStore()).toEqual([scheduled(2), scheduled(3)]);
    expect(readdirSync(local)).toEqual([scheduled(3)]);
    expect(stored.newest?.at).toEqual(new Date(Date.UTC(2026, 10, 3, 4, 30)));
    expect((await store.list('audio/')).map(({ name }) => name)).toEqual(['audio/one.wav']);
    rmSync(join(dataDir, 'audio', 'one.wav'));
    await stored.bring();
    expect(await store.list('audio/')).toEqual([]);
    writeFileSync(join(dataDir, 'audio', 'two.wav'), 'sound two');
    await stored.bring();
  });

  it('that is away is told of once, and gets what it missed', async () => {
    await end(server, 'SIGTERM');
    expect((await earshotd(dataDir, ['backup', join(local, scheduled(4))])).code).toBe(0);
    await stored.bring();
    await stored.bring();
    expect(stored.failures).toBe(2);
    expect(readdirSync(local).sort()).toEqual([scheduled(3), scheduled(4)]);
    const away = await earshotd(dataDir, ['backup-store', 'list'], { env });
    expect([away.code, away.stderr]).toEqual([1, expect.stringContaining('The backup store http://127.0.0.1')]);
    await serve();
    await stored.bring();
    expect(await inStore()).toEqual([scheduled(3), scheduled(4)]);
    expect(lines.filter((line) => !line.startsWith('a backup is in'))).toEqual([
      'backups or recordings are not copied to where the settings say',
      'backups and recordings are copied again',
    ]);
  });

  it('takes a file in parts, and gives it back as it was', async () => {
    const large = join(folder, 'large');
    writeFileSync(large, Buffer.alloc(40 * 2 ** 20, 'earshot'));
    await store.put(large, 'large');
    await store.get('large', `${large}.back`);
    expect(readFileSync(`${large}.back`).equals(readFileSync(large))).toBe(true);
    await store.delete('large');
  });

  it('is where a new machine gets its backup, and what the drill and doctor look at', async () => {
    let now = new Date(2026, 10, 4, 12);
    const drill = new RestoreDrill({
      ...{ times: '0 6 * * *', dataDir, folder: local, store, masterKey: undefined, identities: undefined },
      ...{ size: async () => 0, reserveMb: () => 0, logger, now: () => now },
    });
    now = new Date(2026, 10, 5, 7);
    await drill.look();
    expect(drill.last).toMatchObject({ problem: null, backup: scheduled(4) });
    expect((await earshotd(dataDir, ['doctor'], { env })).stdout).toMatch(
      /^ok +backup store +.*answers; the newest is of 2026-11-04/m,
    );
    const place = join(folder, 'new machine');
    mkdirSync(place, { mode: 0o700 });
    const ring = join(folder, 'ring.json');
    writeFileSync(ring, (await earshotd(dataDir, ['key', 'export'])).stdout);
    const own = { ...env, EARSHOT_BACKUP_FOLDER: join(place, 'backups') };
    const fetched = await earshotd(place, ['backup-store', 'fetch'], { env: own });
    expect(fetched).toMatchObject({ code: 0, stdout: `${join(place, 'backups', scheduled(4))}\n` });
    const { stdout } = await earshotd(place, ['restore', fetched.stdout.trim(), '--key-ring', ring]);
    expect(stdout).toContain('recordings  1 put back');
    expect(readFileSync(join(place, 'audio', 'two.wav'), 'utf8')).toBe('sound two');
  });

  it('refuses a wrong key in words', async () => {
    const wrong = { ...env, EARSHOT_BACKUP_S3_SECRET: 'another-key' };
    const { code, stderr } = await earshotd(dataDir, ['backup-store', 'list'], { env: wrong });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^The backup store .* failed: /)]);
  });
});

describe('Litestream', { timeout: 240_000 }, () => {
  it('brings the database back to a time between two changes, after a power cut', async () => {
    const replica = join(folder, 'replica');
    const config = join(folder, 'litestream.yml');
    const source = join(dataDir, 'earshot.db');
    writeFileSync(config, JSON.stringify({ dbs: [{ path: source, replicas: [{ path: replica }] }] }));
    const litestream = run('litestream', 'replicate', '-config', config);
    const create = async (name: string) => {
      const args = ['tenants', 'create', name, '--admin-email', `${name}@example.com`];
      expect(await earshotd(dataDir, args, { input: 'a long enough password\n' })).toMatchObject({ code: 0 });
    };
    await eventually(() => expect(readdirSync(replica).length).toBeGreaterThan(0));
    await create('before');
    await sleep(3_000); // it copies once a second
    const between = new Date().toISOString();
    await sleep(2_000);
    await create('after');
    await sleep(3_000);
    await daemon.end('SIGKILL');
    await end(litestream, 'SIGKILL');
    const restored = join(folder, 'before.db');
    const args = ['restore', '-config', config, '-timestamp', between, '-o', restored, source];
    const { status, stderr } = spawnSync(program('litestream'), args, { encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, expect.anything()]);
    expect((await earshotd(dataDir, ['restore', restored])).code).toBe(0);
    await daemon.start();
    const { stdout } = await earshotd(dataDir, ['tenants', 'list']);
    expect(stdout).toContain('before');
    expect(stdout).not.toContain('after');
  });
});
