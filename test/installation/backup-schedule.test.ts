/** Backups by schedule: when they are made, which of them stay, and what is said where none could be made. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BackupSchedule } from '../../daemon/modules/installation/backup-schedule.js';
import { Backups } from '../../daemon/modules/installation/backups.js';
import { outdated } from '../../daemon/modules/installation/kept-backups.js';
import { backupName, restoreSqlite, verifySqlite } from '../../daemon/platform/database/backup.js';
import { installationRoutes } from '../../src/contract/installation/installation.js';
import { startDaemon } from '../support/daemon.js';
import { putSqlite } from '../support/database.js';
import { earshotd } from '../support/program.js';

const day = 86_400_000;
const hour = day / 24;

describe('of the backups of the schedule', () => {
  const nightly = (days: number, last: string) =>
    Array.from({ length: days }, (_, index) => ({ at: new Date(Date.parse(last) - index * day) }));
  const keptOf = (all: readonly { at: Date }[], spans: Parameters<typeof outdated>[1]) => {
    const gone = new Set(outdated(all, spans));
    return all.filter((one) => !gone.has(one)).map(({ at }) => at.toISOString().slice(0, 10));
  };

  it('the newest of each of so many days, weeks and months stay', () => {
    // 2026-11-30 is a Monday, so each of the weeks before ends with its Sunday.
    expect(keptOf(nightly(400, '2026-11-30T04:30:00Z'), { days: 3, weeks: 4, months: 3 })).toEqual([
      ...['2026-11-30', '2026-11-29', '2026-11-28'], // days; the first two are of two weeks
      ...['2026-11-22', '2026-11-15'], // weeks
      ...['2026-10-31', '2026-09-30'], // months
    ]);
  });

  it('days without a backup do not count, and the newest stays whatever the spans say', () => {
    const some = [0, 5, 9, 200].map((ago) => ({ at: new Date(Date.parse('2026-11-30T04:30:00Z') - ago * day) }));
    expect(keptOf(some, { days: 3, weeks: 0, months: 0 })).toEqual(['2026-11-30', '2026-11-25', '2026-11-21']);
    expect(keptOf(some, { days: 0, weeks: 0, months: 0 })).toEqual(['2026-11-30']);
  });
});

describe('a backup of the schedule', () => {
  let dataDir: string;
  let folder: string;
  let path: string;
  let now: Date;
  let lines: [level: string, text: string][];
  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'earshot-schedule-'));
    folder = join(dataDir, 'elsewhere');
    path = join(dataDir, 'earshot.db');
    await putSqlite(path);
    now = new Date('2026-11-02T12:00:00Z');
    lines = [];
  });
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

  function schedule(keep = { days: 2, weeks: 0, months: 0 }, compress = false): BackupSchedule {
    const log = (level: string) => (_: unknown, text: string) => void lines.push([level, text]);
    const logger = { info: log('info'), error: log('error') } as never;
    const database = { dialect: 'sqlite', url: `file:${path}` } as const;
    const backups = new Backups({
      ...{ dataDir, folder, database, logger, recipient: undefined, reserveMb: () => 0 },
      compress: () => compress,
      now: () => now,
    });
    return new BackupSchedule({ ...{ times: '30 4 * * *', keep: () => keep, backups, logger }, now: () => now });
  }
  const files = () => readdirSync(folder).sort();
  /** The clock goes on by so many hours, and the schedule looks each time. */
  async function pass(one: BackupSchedule, hours: number) {
    for (let passed = 0; passed < hours; passed += 1) {
      now = new Date(now.getTime() + hour);
      await one.look();
    }
  }

  it('is made at its times, verified, and deletes what is not to be kept; backups of people stay', async () => {
    mkdirSync(folder);
    const own = backupName(() => new Date('2026-01-01T00:00:00Z'));
    writeFileSync(join(folder, own), 'made by hand');
    const one = schedule();
    await pass(one, 4 * 24);
    const made = files().filter((name) => name !== own);
    expect(files()).toContain(own);
    expect(made).toHaveLength(2);
    expect(made.at(-1)).toMatch(/^earshot-2026-11-06T\d\d-00-00-000Z-scheduled\.db$/);
    expect(verifySqlite(join(folder, made.at(-1) ?? '')).schema).toMatch(/^\d{4}_/);
    expect(lines.filter(([, text]) => text === 'backup made')).toHaveLength(4);
    expect(await one.nextAt()).toEqual(new Date(new Date(2026, 10, 7, 4, 30)));
  });

  it('is compressed where that is set, counts as the others do, and is restored as they are', async () => {
    await pass(schedule(), 24);
    const one = schedule(undefined, true);
    await pass(one, 3 * 24);
    expect(files()).toHaveLength(2);
    for (const name of files()) expect(name).toMatch(/-scheduled\.db\.gz$/);
    const packed = join(folder, files().at(-1) ?? '');
    expect(statSync(packed).mode & 0o777).toBe(0o600);
    expect(statSync(packed).size).toBeLessThan(statSync(path).size / 2);
    const target = join(dataDir, 'restored.db');
    const { summary } = await restoreSqlite(
      packed,
      target,
      () => now,
      async () => {},
    );
    expect(summary).toMatchObject({ ...verifySqlite(path), bytes: summary.bytes });
    expect(readdirSync(dataDir).filter((name) => name.endsWith('.partial'))).toEqual([]);
    writeFileSync(packed, readFileSync(packed).subarray(0, 5_000));
    const other = join(dataDir, 'other.db');
    await expect(
      restoreSqlite(
        packed,
        other,
        () => now,
        async () => {},
      ),
    ).rejects.toThrow(/is damaged/);
    expect(existsSync(other)).toBe(false);
  });

  it('that was missed is made once, after the next start', async () => {
    await pass(schedule(), 24);
    expect(files()).toHaveLength(1);
    now = new Date(now.getTime() + 9 * day);
    await pass(schedule(), 3);
    expect(files()).toHaveLength(2);
  });

  it('is made although newer ones are of a clock that was set back since', async () => {
    mkdirSync(folder);
    writeFileSync(
      join(
        folder,
        backupName(() => new Date('2031-01-01T00:00:00Z'), { scheduled: true }),
      ),
      '',
    );
    await pass(schedule(), 24);
    expect(files().filter((name) => name.startsWith('earshot-2026'))).toHaveLength(1);
  });

  it('that fails deletes nothing, and is told once, and once more when it goes on', async () => {
    const one = schedule({ days: 1, weeks: 0, months: 0 });
    await pass(one, 24);
    const before = files();
    renameSync(path, `${path}.away`);
    await pass(one, 48);
    expect(files()).toEqual(before);
    renameSync(`${path}.away`, path);
    await pass(one, 24);
    expect(files()).toHaveLength(1);
    expect(files()).not.toEqual(before);
    const told = lines.filter(([, text]) => /EARSHOT_BACKUP_SCHEDULE|by schedule again/.test(text));
    expect(told).toEqual([
      ['error', 'no backup was made at the time of EARSHOT_BACKUP_SCHEDULE'],
      ['info', 'backups are made by schedule again'],
    ]);
  });
});

describe('a daemon with a schedule', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'earshot-other-disk-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('says when the next backup is due, in the API, in metrics and in doctor', async () => {
    const settings = { EARSHOT_BACKUP_SCHEDULE: '30 4 * * *', EARSHOT_BACKUP_FOLDER: folder };
    const daemon = await startDaemon({ settings });
    try {
      const shown = await daemon.admin.call(installationRoutes.get, {});
      const due = new Date(shown.backups.nextAt ?? 0);
      expect([due.getHours(), due.getMinutes()]).toEqual([4, 30]);
      await daemon.admin.call(installationRoutes.backUp, {});
      await expect
        .poll(() => readdirSync(folder).filter((name) => name.endsWith('.db')).length, { timeout: 30_000 })
        .toBe(1);
      const metrics = async () => (await fetch(`${daemon.url}/metrics`)).text();
      const soon = { timeout: 30_000, interval: 2_000 };
      await expect.poll(metrics, soon).toMatch(/^earshot_backup_newest_timestamp_seconds\{.*\} \d{10}$/m);
      await sleep(1_500); // it is collected once a second
      expect(await metrics()).toMatch(/^earshot_backup_failures_total\{.*\} 0$/m);
      const flags = Object.entries(settings).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
      const { stdout } = await earshotd(daemon.dataDir, ['doctor', ...flags]);
      expect(stdout).toMatch(/^ok +backups +1 in .*, the newest of 20/m);
    } finally {
      await daemon.stop();
    }
  });

  it('is told by doctor that a backup is overdue', async () => {
    const other = mkdtempSync(join(tmpdir(), 'earshot-overdue-'));
    try {
      writeFileSync(
        join(
          other,
          backupName(() => new Date(Date.now() - 3 * day), { scheduled: true }),
        ),
        '',
      );
      const args = ['doctor', '--set', 'EARSHOT_BACKUP_SCHEDULE=30 4 * * *', '--set', `EARSHOT_BACKUP_FOLDER=${other}`];
      const { stdout } = await earshotd(join(other, 'data'), args);
      expect(stdout).toMatch(/^warning +backups +The newest is of .*, and one was due at /m);
    } finally {
      rmSync(other, { recursive: true, force: true });
    }
  });

  it.each([
    ['every day', 'EARSHOT_BACKUP_SCHEDULE', 'write five fields of cron'],
    ['61 4 * * *', 'EARSHOT_BACKUP_SCHEDULE', 'write five fields of cron'],
    ['* * * * * *', 'EARSHOT_BACKUP_SCHEDULE', 'write five fields of cron'],
    ['a week', 'EARSHOT_BACKUP_KEEP', 'such as 7d 4w 6m'],
  ])('does not take %s as %s', async (value, name, says) => {
    const { code, stderr } = await earshotd(join(folder, 'data'), ['config', 'check', '--set', `${name}=${value}`]);
    expect(code).not.toBe(0);
    expect(stderr).toContain(says);
  });
});
