/** Files that are no backup, no settings or no database any more: a sentence, and no program that waits without end. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DatabaseFiles } from '../../daemon/platform/database/file-probe.js';
import { DaemonProcess } from '../support/daemon-process.js';
import { inSqlite, putSqlite } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { earshotd } from '../support/program.js';
import { smallDisk } from '../support/small-disk.js';

const folder = mkdtempSync(join(tmpdir(), 'earshot-files-'));
const database = join(folder, 'copy.db');
beforeAll(() => putSqlite(database));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function pipeFor(name: string): string {
  const path = join(mkdtempSync(join(folder, 'pipe-')), name);
  execFileSync('mkfifo', [path]);
  return path;
}
const oneSentence = (text: string) => expect(text.trim().split('\n')).toHaveLength(1);

describe.skipIf(process.platform === 'win32')('earshotd', () => {
  it.each(['verify', 'restore'])('%s refuses a pipe at once', async (command) => {
    const pipe = join(folder, `${command}.pipe`);
    execFileSync('mkfifo', [pipe]);
    const { code, stderr } = await earshotd(join(folder, 'data'), [command, pipe]);
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('is not a regular file') });
  });

  it.each([
    ['trigger', 'CREATE TRIGGER "planted" AFTER INSERT ON "Tenant" BEGIN DELETE FROM "ApiKey"; END'],
    ['view', 'CREATE VIEW "planted" AS SELECT * FROM "Tenant"'],
    [
      'trigger',
      'DROP TRIGGER "MessageIndexed_deleted"; CREATE TRIGGER "MessageIndexed_deleted" AFTER DELETE ON "MessageIndexed" BEGIN SELECT 1; END',
    ],
  ])('verify and restore refuse a %s that no version has made', async (kind, statement) => {
    const path = join(folder, `${kind}-${statement.length}.db`);
    await putSqlite(path);
    const planted = new BetterSqlite3(path);
    planted.exec(statement);
    planted.close();
    for (const command of ['verify', 'restore']) {
      const { code, stderr } = await earshotd(join(folder, 'data'), [command, path]);
      expect({ command, code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining(`the ${kind}`) });
    }
  });

  it('names the line of a settings file, a season or a plugin that is not UTF-8', async () => {
    const windows1252 = (name: string, text: string) => {
      writeFileSync(join(folder, name), Buffer.from(text, 'latin1'));
      return join(folder, name);
    };
    const settings = windows1252('latin.env', 'EARSHOT_PORT=9000\nEARSHOT_ADMIN_PASSWORD=schöne Wörter\n');
    const season = windows1252('season.yaml', 'players:\n  - name: Jürgen\n');
    windows1252('manifest.json', '{\n"slug": "jürgen"}');
    for (const args of [
      ['config', 'print', '--config', settings],
      ['simulate', '-f', season],
      ['plugins', 'install', folder],
    ]) {
      const { code, stderr } = await earshotd(join(folder, 'data'), args);
      expect({ args, code, stderr }).toMatchObject({ stderr: expect.stringMatching(/:2: a character is not UTF-8/) });
      expect(code, args.join(' ')).not.toBe(0);
    }
  });

  it('reads no settings from a device', async () => {
    const { code, stderr } = await earshotd(join(folder, 'data'), ['config', 'print', '--config', '/dev/zero']);
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('it is not a regular file') });
  });

  it.each([
    ['settings', (path: string) => ({ EARSHOT_CONFIG: path })],
    ['a secret', (path: string) => ({ EARSHOT_MASTER_KEY_FILE: path })],
    ['a certificate', (path: string) => ({ EARSHOT_TLS_CERT: path, EARSHOT_TLS_KEY: path })],
  ])('reads %s neither from a pipe nor from a device', async (_, settings) => {
    for (const path of [pipeFor('settings'), '/dev/zero']) {
      const env = { ...settings(path), EARSHOT_PORT: '0', EARSHOT_MQTT_PORT: '0' };
      const { code, stderr } = await earshotd(mkdtempSync(join(folder, 'data-')), ['run'], { env });
      expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('it is not a regular file') });
      expect(stderr).toContain(path);
    }
  });

  it.each([
    ['a key ring', ['verify', database, '--key-ring']],
    ['a season', ['simulate', '--file']],
  ])('reads %s neither from a pipe nor from a device', async (_, args) => {
    for (const path of [pipeFor('option'), '/dev/zero']) {
      const { code, stderr } = await earshotd(join(folder, 'data'), [...args, path]);
      expect(code).toBe(1);
      expect(stderr).toContain('not a regular file');
      expect(stderr).not.toContain('    at ');
    }
  });

  it('warns where everybody counts as a proxy', async () => {
    const env = { EARSHOT_TRUSTED_PROXIES: '0.0.0.0/0' };
    const { stdout, stderr } = await earshotd(join(folder, 'data'), ['doctor'], { env });
    expect(stdout + stderr).toContain('EARSHOT_TRUSTED_PROXIES trusts every address');
  });

  it('says in a sentence that its disk is full, whichever file no longer fits', async () => {
    const disk = await smallDisk();
    try {
      for (const leftKib of [0, 4, 40, 400]) {
        const { code, stderr } = await disk.start(leftKib);
        expect({ leftKib, code, stderr }).toMatchObject({ code: 1, stderr: expect.stringMatching(/disk|ulimit/) });
        oneSentence(stderr);
      }
    } finally {
      disk.remove();
    }
  }, 120_000);

  it('says in a sentence that its database is damaged', async () => {
    const dataDir = mkdtempSync(join(folder, 'damaged-'));
    writeFileSync(join(dataDir, 'earshot.db'), 'no database at all, but long enough to have a head'.repeat(200));
    const { code, stderr } = await earshotd(dataDir, ['run'], { env: { EARSHOT_PORT: '0', EARSHOT_MQTT_PORT: '0' } });
    expect(code).toBe(1);
    expect(stderr).toContain('is damaged');
    oneSentence(stderr);
  });

  it('says in a sentence that a page of its database is damaged', async () => {
    const dataDir = mkdtempSync(join(folder, 'page-'));
    const path = join(dataDir, 'earshot.db');
    await putSqlite(path);
    const intact = readFileSync(path);
    // Everything behind the schema and the history of migrations, which alone are read at first.
    writeFileSync(
      path,
      Buffer.concat([intact.subarray(0, intact.length / 4), Buffer.alloc((intact.length * 3) / 4, 0x55)]),
    );
    const { code, stderr } = await earshotd(dataDir, ['run'], { env: { EARSHOT_PORT: '0', EARSHOT_MQTT_PORT: '0' } });
    expect(code).toBe(1);
    expect(stderr).toContain('is damaged');
    oneSentence(stderr);
  });
});

describe('a daemon that serves', { timeout: 60_000 }, () => {
  const daemon = new DaemonProcess({ ...inSqlite, EARSHOT_TRUSTED_PROXIES: '0.0.0.0/0,::/0' });
  beforeAll(async () => void (await daemon.start()));
  afterAll(() => daemon.dispose());

  it('has warned that everybody counts as a proxy', () => {
    expect(daemon.printed.join('\n')).toContain('EARSHOT_TRUSTED_PROXIES trusts every address');
  });

  it('is not ready, and its doctor says why, once a file of its database was deleted', async () => {
    const readiness = async () => (await fetch(`${daemon.url}/health/ready`)).status;
    expect(await readiness()).toBe(200);
    rmSync(join(daemon.dataDir, 'earshot.db-wal'));
    await eventually(async () => expect(await readiness()).toBe(503));
    expect((await fetch(`${daemon.url}/health/live`)).status).toBe(200);
    await eventually(() => expect(daemon.printed.join('\n')).toContain('was deleted while the daemon uses it'));
    const { code, stdout } = await earshotd(daemon.dataDir, ['doctor']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/problem +database files.*was (deleted|replaced) while the daemon uses it/);
  });
});

describe('the files of the database', () => {
  it('are missed when one of them is deleted or replaced', () => {
    const open = new BetterSqlite3(database);
    open.pragma('journal_mode = WAL');
    open.exec(`UPDATE "Tenant" SET "name" = "name"; CREATE TABLE IF NOT EXISTS "t" ("a")`);
    const lines: object[] = [];
    const probe = new DatabaseFiles(`file:${database}`, { error: (line: object) => lines.push(line) });
    expect(probe.check()).toBeNull();
    expect(probe.check()).toBeNull();
    renameSync(`${database}-wal`, `${database}-moved`);
    expect(probe.check()).toMatch(/was deleted while the daemon uses it/);
    writeFileSync(`${database}-wal`, '');
    expect(probe.check()).toMatch(/was replaced while the daemon uses it/);
    expect(lines).toHaveLength(2);
    open.close();
  });

  it('of PostgreSQL are not looked at', () => {
    const files = new DatabaseFiles('postgresql://localhost/earshot', { error: () => {} });
    expect(files.check()).toBeNull();
  });
});
