import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { settingsRoutes } from '../../src/contract/projects/settings.js';
import { administrator, DaemonProcess } from '../support/daemon-process.js';
import { inSqlite, putSqlite } from '../support/database.js';
import { earshotd } from '../support/program.js';

const folder = mkdtempSync(join(tmpdir(), 'earshot-backups-'));
const daemon = new DaemonProcess(inSqlite);
const elsewhere = new DaemonProcess(inSqlite);
const file = join(folder, 'backup.db');
const database = join(daemon.dataDir, 'earshot.db');
let params: { projectId: string };
let secret: string;
beforeAll(async () => {
  await daemon.start();
  const admin = await login(daemon);
  params = { projectId: (await admin.call(projectRoutes.list, {}))[0]?.id ?? '' };
  await admin.call(settingsRoutes.syncSecret, { params });
  secret = (await admin.call(settingsRoutes.secret, { params })).secret;
});
afterAll(async () => {
  await daemon.dispose();
  await elsewhere.dispose();
  rmSync(folder, { recursive: true, force: true });
});

async function login({ url }: DaemonProcess): Promise<EarshotClient> {
  const { accessToken } = await new EarshotClient({ baseUrl: url }).call(accountRoutes.loginCredentials, {
    body: administrator,
  });
  return new EarshotClient({ baseUrl: url, credential: { kind: 'bearer', token: accessToken } });
}
const add = (admin: EarshotClient, externalUserId: string) =>
  admin.call(participantRoutes.create, { params, body: { externalUserId } });
const people = async (admin: EarshotClient) =>
  (await admin.call(participantRoutes.list, { params, query: { limit: 200 } })).participants.map(
    ({ externalUserId }) => externalUserId,
  );
const digest = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');
const operate = (...args: string[]) => earshotd(daemon.dataDir, args);

describe('a backup', { timeout: 240_000 }, () => {
  let before: EarshotClient;

  it('is made while the daemon serves, whole and readable by its owner alone', async () => {
    before = await login(daemon);
    await add(before, 'early');
    let writing = true;
    let written = 0;
    const writer = (async () => {
      for (; writing; written += 1) await add(before, `during-${written}`);
    })();
    const made = await operate('backup', file);
    writing = false;
    await writer;
    expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining(file) });
    expect(written).toBeGreaterThan(0);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(existsSync(`${file}.partial`)).toBe(false);
    const verified = await operate('verify', file);
    expect(verified).toMatchObject({ code: 0, stdout: expect.stringContaining('The backup is complete') });
    expect(await operate('backup', file)).toMatchObject({ code: 1, stderr: expect.stringContaining('Name another') });
  });

  it('is tried by `restore --verify` while the daemon serves, as far as a start would go', async () => {
    expect(await operate('restore', '--verify')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is no backup in'),
    });
    expect(await operate('restore')).toMatchObject({ code: 1, stderr: expect.stringContaining('Name the backup') });
    await operate('backup');
    const [newest = ''] = readdirSync(join(daemon.dataDir, 'backups'));
    const tried = await operate('restore', '--verify');
    expect(tried.stdout).toMatch(/It can be restored here; the trial took \d+ s, and changed nothing\./);
    expect(tried.stdout.split('\n')[0]).toBe(join(daemon.dataDir, 'backups', newest));
    const damaged = join(folder, 'damaged.db');
    writeFileSync(damaged, readFileSync(file).fill(7, 20_000, 60_000));
    expect(await operate('restore', '--verify', damaged)).toMatchObject({ code: 1 });
    const elsewhereWithoutKeys = await earshotd(elsewhere.dataDir, ['restore', '--verify', file]);
    expect(elsewhereWithoutKeys).toMatchObject({ code: 1, stderr: expect.stringContaining('--key-ring') });
    for (const dataDir of [daemon.dataDir, elsewhere.dataDir])
      expect(existsSync(join(dataDir, 'restore-trial'))).toBe(false);
    expect(await people(await login(daemon))).toContain('early');
  });

  it('does not hold the master key, in whichever form', () => {
    const { keys } = JSON.parse(readFileSync(join(daemon.dataDir, 'key-ring.json'), 'utf8'));
    const bytes = readFileSync(file);
    for (const { id, key } of keys) {
      expect(bytes.includes(key)).toBe(false);
      expect(bytes.includes(Buffer.from(key, 'hex'))).toBe(false);
      expect(bytes.includes(id)).toBe(true);
    }
  });

  it('is not restored while a daemon uses the folder', async () => {
    await add(before, 'late');
    expect(await operate('restore', file)).toMatchObject({ code: 1, stderr: expect.stringContaining('Stop it first') });
    expect(await people(before)).toContain('late');
  });

  it('brings back what was there, also after the key was rotated, and ends the logins of that time', async () => {
    expect((await operate('rotate-key')).code).toBe(0);
    await daemon.end('SIGTERM');
    const restored = await operate('restore', file);
    expect(restored).toMatchObject({ code: 0 });
    const kept = /previous database is kept: (.*)/.exec(restored.stdout)?.[1] ?? '';
    expect((await operate('verify', kept)).code).toBe(0);
    await daemon.start();
    await expect(before.call(accountRoutes.me, {})).rejects.toMatchObject({ status: 401 });
    const admin = await login(daemon);
    const found = await people(admin);
    expect(found).toContain('early');
    expect(found).not.toContain('late');
    expect(await admin.call(settingsRoutes.secret, { params })).toEqual({ secret });
    await add(admin, 'after the restore');
  });

  it('opens elsewhere with the exported key ring and not without', async () => {
    const ring = join(folder, 'ring.json');
    writeFileSync(ring, (await operate('key', 'export')).stdout);
    const there = (...args: string[]) => earshotd(elsewhere.dataDir, args);
    for (const command of ['verify', 'restore'])
      expect(await there(command, file)).toMatchObject({ code: 1, stderr: expect.stringContaining('--key-ring') });
    expect(existsSync(join(elsewhere.dataDir, 'earshot.db'))).toBe(false);
    expect(await there('restore', file, '--key-ring', ring)).toMatchObject({ code: 0 });
    await elsewhere.start();
    expect(await (await login(elsewhere)).call(settingsRoutes.secret, { params })).toEqual({ secret });
  });
});

describe('the database of a daemon that was killed', { timeout: 240_000 }, () => {
  const endings = ['', '-wal', '-shm'];
  /** Kills the daemon after changes that are only in the write-ahead log. */
  async function killAfterAdding(externalUserId: string): Promise<void> {
    if (!daemon.running) await daemon.start();
    await add(await login(daemon), externalUserId);
    await daemon.end('SIGKILL');
    expect(statSync(`${database}-wal`).size).toBeGreaterThan(0);
  }
  async function peopleAfterRestoring(path: string): Promise<(string | null)[]> {
    expect(await operate('restore', path)).toMatchObject({ code: 0 });
    await daemon.start();
    return people(await login(daemon));
  }

  it('is kept whole by a restore, so that restoring it loses nothing', async () => {
    await killAfterAdding('in the log');
    const { code, stdout } = await operate('restore', file);
    expect(code).toBe(0);
    const kept = /previous database is kept: (.*)/.exec(stdout)?.[1] ?? '';
    expect(await peopleAfterRestoring(kept)).toContain('in the log');
  });

  it('is restored from a copy by hand with its -wal, without a warning', async () => {
    await killAfterAdding('copied by hand');
    const copy = join(folder, 'by-hand.db');
    for (const ending of endings) copyFileSync(database + ending, copy + ending);
    await operate('restore', file);
    expect((await operate('verify', copy)).stderr).toBe('');
    expect(await peopleAfterRestoring(copy)).toContain('copied by hand');
  });

  it('is doubted where it was copied without its -wal, and refused where nothing is in it', async () => {
    await killAfterAdding('left behind');
    const copy = join(folder, 'alone.db');
    copyFileSync(database, copy);
    expect(await operate('verify', copy)).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('newest changes are missing'),
    });
    const empty = join(folder, 'empty.db');
    await putSqlite(empty);
    for (const command of ['verify', 'restore'])
      expect(await operate(command, empty)).toMatchObject({ code: 1, stderr: expect.stringContaining('no tenant') });
    await daemon.start();
    expect(await people(await login(daemon))).toContain('left behind');
  });

  it('is not replaced while another program has it open', async () => {
    await daemon.end('SIGTERM');
    const other = new BetterSqlite3(database);
    try {
      expect(other.prepare('SELECT count(*) FROM Tenant').pluck().get()).toBe(1);
      const refused = await operate('restore', file);
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('Another program uses') });
      expect(existsSync(`${database}.restoring`)).toBe(false);
    } finally {
      other.close();
    }
    await daemon.start();
    expect(await people(await login(daemon))).toContain('left behind');
  });
});

describe('a start', { timeout: 240_000 }, () => {
  const refusesToStart = async (message: RegExp) => {
    for (const command of ['run', 'migrate'])
      expect(await operate(command)).toMatchObject({ code: 1, stderr: expect.stringMatching(message) });
    expect((await operate('doctor')).stdout).toMatch(message);
  };

  it('is refused after a restore that did not end, until it is repeated or taken back', async () => {
    if (!daemon.running) await daemon.start();
    await add(await login(daemon), 'before the restore');
    await daemon.end('SIGKILL');
    writeFileSync(`${database}.restoring`, 'half of a copy');
    await refusesToStart(/restore of .* did not end/);
    rmSync(`${database}.restoring`);
    await daemon.start();
    expect(await people(await login(daemon))).toContain('before the restore');
    await daemon.end('SIGKILL');
    writeFileSync(`${database}.restoring`, 'half of a copy');
    expect(await operate('restore', file)).toMatchObject({ code: 0 });
    await daemon.start();
    expect(await people(await login(daemon))).not.toContain('before the restore');
  });

  it('makes no new installation where the database of one is gone', async () => {
    await daemon.end('SIGTERM');
    for (const ending of ['', '-wal', '-shm']) rmSync(database + ending, { force: true });
    await refusesToStart(/is missing, but this data folder was in use/);
    await putSqlite(database);
    await refusesToStart(/is empty, but this data folder was in use/);
    expect(await operate('restore', file)).toMatchObject({ code: 0 });
    await daemon.start();
    expect(await people(await login(daemon))).toContain('early');
  });
});

describe('a file that cannot be restored', { timeout: 120_000 }, () => {
  const bad = join(folder, 'bad.db');
  const spoil: [string, (path: string) => void, RegExp][] = [
    ['is no database', (path) => writeFileSync(path, 'no database at all'.repeat(200)), /not a database of Earshot/],
    [
      'is cut off',
      (path) => writeFileSync(path, readFileSync(file).subarray(0, statSync(file).size - 20_000)),
      /damaged/,
    ],
    [
      'has a page overwritten',
      (path) => {
        const bytes = readFileSync(file);
        bytes.fill(0xff, 8 * 4096, 24 * 4096);
        writeFileSync(path, bytes);
      },
      /damaged/,
    ],
    [
      'is of a newer version',
      (path) => {
        copyFileSync(file, path);
        const copy = new BetterSqlite3(path);
        copy.exec(
          `UPDATE "_prisma_migrations" SET migration_name = '9999_future', checksum = 'of the future' WHERE migration_name = '0001_initial'`,
        );
        copy.close();
      },
      /newer than this program/,
    ],
    ['is not there', (path) => rmSync(path, { force: true }), /There is no file/],
  ];

  it.each(spoil)('%s is told so, and the database stays as it is', async (_, make, message) => {
    await daemon.end('SIGTERM');
    make(bad);
    const before = digest(database);
    const { code, stderr } = await operate('restore', bad);
    expect(code).toBe(1);
    expect(stderr).toMatch(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(digest(database)).toBe(before);
  });
});
