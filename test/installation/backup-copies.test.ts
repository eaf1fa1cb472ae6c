/** Backups that are encrypted by age, recordings beside them, and the trial of the newest by schedule. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RestoreDrill } from '../../daemon/modules/installation/restore-drill.js';
import { backupName, verifySqlite } from '../../daemon/platform/database/backup.js';
import { copyInFolder, copyRecordings } from '../../daemon/platform/database/recordings-copy.js';
import { DaemonProcess } from '../support/daemon-process.js';
import { inSqlite } from '../support/database.js';
import { earshotd } from '../support/program.js';

const folder = mkdtempSync(join(tmpdir(), 'earshot-copies-'));
const dataDir = join(folder, 'data');
const backups = join(folder, 'backups');
const identityFile = join(folder, 'identity.txt');
const hasAge = spawnSync('age', ['--version']).status === 0;
const newIdentity = (file: string): string => {
  execFileSync('age-keygen', ['-o', file], { stdio: 'ignore' });
  return execFileSync('age-keygen', ['-y', file], { encoding: 'utf8' }).trim();
};
/** Where a backup is restored: another machine, which has the key ring alone. */
const machine = (name: string): string => {
  const place = join(folder, name);
  mkdirSync(place, { mode: 0o700 });
  return place;
};

beforeAll(async () => {
  mkdirSync(dataDir, { mode: 0o700 });
  const daemon = new DaemonProcess({ ...inSqlite, EARSHOT_DATA_DIR: dataDir });
  await daemon.start();
  await daemon.end('SIGTERM');
  const { stdout } = await earshotd(dataDir, ['key', 'export']);
  writeFileSync(join(folder, 'ring.json'), stdout);
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(!hasAge)('a backup for a recipient of age', { timeout: 120_000 }, () => {
  const recipient = hasAge ? newIdentity(identityFile) : '';
  const env = { EARSHOT_BACKUP_FOLDER: backups, EARSHOT_BACKUP_RECIPIENT: recipient };
  const ring = ['--key-ring', join(folder, 'ring.json')];

  it('is opened by the program age, and holds the database', async () => {
    const { code, stdout } = await earshotd(dataDir, ['backup', join(backups, 'own.db.gz.age')], { env });
    expect([code, readdirSync(backups)]).toEqual([0, ['own.db.gz.age']]);
    expect(stdout).toContain('1 tenants');
    const opened = execFileSync('age', ['-d', '-i', identityFile, join(backups, 'own.db.gz.age')], {
      maxBuffer: 2 ** 30,
    });
    const plain = join(folder, 'opened.db');
    writeFileSync(plain, gunzipSync(opened));
    expect(verifySqlite(plain)).toMatchObject({ tenants: 1 });
    const named = await earshotd(dataDir, ['backup'], { env });
    expect(named.stdout).toMatch(/\.db\.age\n/);
  });

  it('is restored with the identity, as is what the program age has encrypted', async () => {
    const plain = join(folder, 'plain.db');
    expect((await earshotd(dataDir, ['backup', plain])).code).toBe(0);
    const foreign = join(backups, 'foreign.db.age');
    execFileSync('age', ['-r', recipient, '-o', foreign, plain]);
    for (const [index, file] of [foreign, join(backups, 'own.db.gz.age')].entries()) {
      const place = machine(`restored-${index}`);
      const verified = await earshotd(place, ['verify', file, ...ring, '--identity', identityFile]);
      expect(verified).toMatchObject({ code: 0, stdout: expect.stringContaining('its secrets can be opened here') });
      const restored = await earshotd(place, ['restore', file, ...ring], {
        env: { EARSHOT_BACKUP_IDENTITY_FILE: identityFile },
      });
      expect(restored.code).toBe(0);
      expect(verifySqlite(join(place, 'earshot.db'))).toMatchObject({ tenants: 1 });
      expect(readdirSync(place).filter((name) => name.startsWith('unpacked-'))).toEqual([]);
    }
  });

  it('says what it lacks: the identity, the right one, or the rest of the file', async () => {
    const place = machine('refused');
    const other = join(folder, 'other.txt');
    newIdentity(other);
    const cut = join(folder, 'cut.db.age');
    writeFileSync(cut, readFileSync(join(backups, 'foreign.db.age')).subarray(0, 90_000));
    const own = join(backups, 'own.db.gz.age');
    for (const [args, says] of [
      [[own], /is encrypted by age\. Name the file with its identity/],
      [[own, '--identity', other], /cannot be decrypted, or is damaged/],
      [[cut, '--identity', identityFile], /cannot be decrypted, or is damaged/],
    ] as const) {
      const { code, stderr } = await earshotd(place, ['restore', ...args, ...ring]);
      expect([code, stderr]).toEqual([1, expect.stringMatching(says)]);
    }
    expect(existsSync(join(place, 'earshot.db'))).toBe(false);
    const check = ['config', 'check', '--set', 'EARSHOT_BACKUP_DRILL=0 6 * * 0'];
    expect((await earshotd(dataDir, check, { env })).stderr).toContain(
      'EARSHOT_BACKUP_DRILL needs EARSHOT_BACKUP_IDENTITY',
    );
  });

  it('has the recordings beside it, without those that were deleted since', async () => {
    const audio = join(dataDir, 'audio');
    for (const name of ['one', 'two']) writeFileSync(join(audio, `${name}.wav`), `sound ${name}`);
    await copyRecordings(dataDir, copyInFolder(backups), recipient);
    rmSync(join(audio, 'one.wav'));
    writeFileSync(join(audio, 'three.wav'), 'sound three');
    await copyRecordings(dataDir, copyInFolder(backups), recipient);
    expect(readdirSync(join(backups, 'audio')).sort()).toEqual(['three.wav.age', 'two.wav.age']);
    await copyRecordings(machine('new'), copyInFolder(backups), recipient);
    expect(readdirSync(join(backups, 'audio')).sort()).toEqual(['three.wav.age', 'two.wav.age']);
    const place = machine('with-recordings');
    const args = ['restore', join(backups, 'foreign.db.age'), ...ring, '--identity', identityFile];
    expect((await earshotd(place, args)).stdout).toContain('recordings  2 put back');
    expect(readFileSync(join(place, 'audio', 'three.wav'), 'utf8')).toBe('sound three');
  });
});

describe('the trial of the newest backup', { timeout: 120_000 }, () => {
  const own = join(folder, 'of-trials');
  let now = new Date(2026, 10, 1, 12);
  const lines: string[] = [];
  const log = (_: unknown, text: string) => void lines.push(text);
  const drill = new RestoreDrill({
    ...{ times: '0 6 * * 0', dataDir, folder: own, store: null, masterKey: undefined, identities: undefined },
    ...{ size: async () => 0, reserveMb: () => 0, logger: { info: log, error: log } as never, now: () => now },
  });
  const sunday = (date: number) => {
    now = new Date(2026, 10, date, 6, 1);
    return drill.look();
  };

  it('is made at its times, and told where it fails and where it goes on', async () => {
    mkdirSync(own);
    const name = backupName(() => new Date('2026-11-07T00:00:00Z'), { scheduled: true, compressed: true });
    expect((await earshotd(dataDir, ['backup', join(own, name)])).code).toBe(0);
    await drill.look();
    expect(drill.last).toBeNull();
    await sunday(8);
    expect(drill.last).toMatchObject({ at: now, problem: null, backup: join(own, name) });
    const kept = readFileSync(join(own, name));
    writeFileSync(join(own, name), kept.subarray(0, 4_000));
    await sunday(15);
    expect(drill.last).toMatchObject({
      problem: expect.stringContaining('damaged'),
      succeededAt: new Date(2026, 10, 8, 6, 1),
    });
    const times = ['--set', 'EARSHOT_BACKUP_DRILL=0 6 * * 0'];
    const doctor = async () => (await earshotd(dataDir, ['doctor', ...times])).stdout;
    expect(await doctor()).toMatch(/^warning +restore drill +The trial of 2026-11-15.* failed: .*damaged/m);
    writeFileSync(join(own, name), kept);
    await sunday(22);
    expect(lines).toEqual([
      'the newest backup was restored for trial',
      'the newest backup could not be restored for trial',
      'the newest backup can be restored again',
      'the newest backup was restored for trial',
    ]);
    expect(drill.failures).toBe(1);
    expect(readdirSync(dataDir).filter((one) => one.startsWith('restore-trial'))).toEqual(['restore-trial.json']);
  });
});
