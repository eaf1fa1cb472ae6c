/** What administrators of the installation see of it, and the backups that they start. */
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Backups } from '../../daemon/modules/installation/backups.js';
import { backupFolder, verifySqlite } from '../../daemon/platform/database/backup.js';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { auditRoutes } from '../../src/contract/audit/audit.js';
import { apiKeyRoutes } from '../../src/contract/identity/api-keys.js';
import { installationRoutes } from '../../src/contract/installation/installation.js';
import { commandLine } from '../support/cli.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { makeOtherTenant } from '../support/other-tenant.js';
import { hasPostgresql } from '../support/postgresql.js';
import { TwoDaemons } from '../support/two-daemons.js';

const { get, backUp } = installationRoutes;
const quiet = { info: () => {}, error: () => {} };

describe('the installation', () => {
  let daemon: TestDaemon;
  const cli = commandLine(() => ({ EARSHOT_URL: daemon.url, EARSHOT_API_KEY: daemon.apiKey }));
  const latest = async () => (await daemon.admin.call(get, {})).backups.latest;
  beforeAll(async () => {
    daemon = await startDaemon({
      settings: {
        EARSHOT_OPENAI_API_KEY: 'sk-very-secret',
        EARSHOT_SMTP_URL: 'smtp://ann:mail-secret@127.0.0.1:2525',
        EARSHOT_SPEECH_MIRROR: "https://ann:mirror'very-secret@mirror.example/models",
        EARSHOT_CORS_ORIGINS: 'https://play.example',
      },
    });
  });
  afterAll(async () => {
    cli.dispose();
    await daemon.stop();
  });

  it('shows version, daemon, disk and settings, and no secret in any of them', async () => {
    const shown = await daemon.admin.call(get, {});
    expect(shown).toMatchObject({ database: 'sqlite', nodes: [{ answering: true }], backups: { available: true } });
    expect(shown.nodes[0]?.roles).toContain('voice');
    expect(shown.disk.dataBytes).toBeGreaterThanOrEqual(shown.disk.databaseBytes);
    expect(shown.disk.parts.map(({ name }) => name)).toContain('earshot.db');
    const values = Object.fromEntries(shown.settings.map(({ name, value }) => [name, value]));
    expect(values).toMatchObject({
      EARSHOT_OPENAI_API_KEY: '***',
      EARSHOT_SMTP_URL: '***',
      EARSHOT_SPEECH_MIRROR: 'https://ann:***@mirror.example/models',
      EARSHOT_CORS_ORIGINS: '["https://play.example"]',
      EARSHOT_BILLING_URL: null,
    });
    expect(JSON.stringify(shown)).not.toMatch(/very-secret|mail-secret/);
  });

  it('makes a backup that verifies, one at a time, and leaves an entry in the audit log', async () => {
    const both = await Promise.allSettled([daemon.admin.call(backUp, {}), daemon.admin.call(backUp, {})]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { status: 409, code: 'backup_running' },
    });
    await expect.poll(async () => (await latest())?.state, { timeout: 20_000 }).toBe('done');
    const [file] = (await daemon.admin.call(get, {})).backups.files;
    expect(file).toMatchObject({ name: (await latest())?.name, verified: true });
    const path = join(daemon.dataDir, 'backups', file?.name ?? '');
    expect(verifySqlite(path)).toMatchObject({ tenants: 1, projects: 1 });
    expect(statSync(path).mode & 0o077, 'nobody else reads it').toBe(0);
    const { entries } = await daemon.admin.call(auditRoutes.listTenant, { query: { action: 'startBackup' } });
    expect(entries).toMatchObject([{ outcome: 'done' }]);
  });

  it('is two commands', async () => {
    const made = await cli.run(['installation', 'backup', '--wait', '--json']);
    expect({ code: made.code, ...JSON.parse(made.stdout) }).toMatchObject({ code: 0, state: 'done', problem: null });
    const { code, stdout } = await cli.run(['installation', 'show']);
    expect(code).toBe(0);
    expect(stdout).toContain(JSON.parse(made.stdout).name);
    expect(stdout).toMatch(/EARSHOT_SMTP_URL +\*\*\*/);
  });

  it('is refused to members, keys of a project, and administrators of another tenant', async () => {
    const other = await makeOtherTenant(daemon.databaseUrl, new Date());
    const { key } = await daemon.admin.call(apiKeyRoutes.create, {
      body: { name: 'of a project', scopes: ['projects'], projectId: daemon.projectId },
    });
    for (const stranger of [other, key])
      for (const route of [get, backUp])
        await expect(
          new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'apiKey', key: stranger } }).call(route, {}),
        ).rejects.toMatchObject({ status: 403, code: 'insufficient_role' });
  });
});

describe('a backup', () => {
  if (process.platform === 'linux')
    it('is refused where the disk of its folder has no room, though that of the data has', async () => {
      const dataDir = mkdtempSync(join(tmpdir(), 'earshot-backups-'));
      try {
        writeFileSync(join(dataDir, 'earshot.db'), 'no database');
        symlinkSync('/proc', backupFolder(dataDir)); // which has no free bytes
        const database = { dialect: 'sqlite', url: `file:${join(dataDir, 'earshot.db')}` } as const;
        const backups = new Backups({
          dataDir,
          folder: backupFolder(dataDir),
          database,
          logger: quiet,
          now: () => new Date(),
          reserveMb: () => 0,
          compress: () => false,
          recipient: undefined,
        });
        await expect(backups.begin()).rejects.toMatchObject({ code: 'backup_no_space' });
      } finally {
        rmSync(dataDir, { recursive: true, force: true });
      }
    });

  it('is refused where the disk has no room for it, and leaves nothing behind', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'earshot-backups-'));
    try {
      const url = `file:${join(dataDir, 'earshot.db')}`;
      writeFileSync(join(dataDir, 'earshot.db'), 'no database');
      const needs = {
        dataDir,
        folder: backupFolder(dataDir),
        database: { dialect: 'sqlite', url },
        logger: quiet,
        now: () => new Date(),
        recipient: undefined,
        compress: () => false,
      } as const;
      const full = new Backups({ ...needs, reserveMb: () => 1_000_000_000 });
      await expect(full.begin()).rejects.toMatchObject({ code: 'backup_no_space' });
      expect(full.latest).toBeNull();
      const broken = new Backups({ ...needs, reserveMb: () => 0 });
      await broken.begin();
      await expect
        .poll(() => broken.latest, { timeout: 15_000 })
        .toMatchObject({ state: 'failed', problem: expect.stringMatching(/\w/) });
      expect(readdirSync(join(dataDir, 'backups'))).toEqual([]);
      await broken.stop();
    } finally {
      rmSync(dataDir, { recursive: true });
    }
  });

  it('ends at once with the daemon, though SQLite is at it, and leaves nothing half-written', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'earshot-backups-'));
    const path = join(dataDir, 'earshot.db');
    const database = new BetterSqlite3(path);
    try {
      database.exec('CREATE TABLE a (b); BEGIN EXCLUSIVE'); // the copy waits for it inside SQLite
      const needs = {
        dataDir,
        folder: backupFolder(dataDir),
        database: { dialect: 'sqlite', url: `file:${path}` },
        logger: quiet,
        recipient: undefined,
        compress: () => false,
      } as const;
      const backups = new Backups({ ...needs, reserveMb: () => 0, now: () => new Date() });
      const { name } = await backups.begin();
      const folder = join(dataDir, 'backups');
      await expect.poll(() => existsSync(folder), { timeout: 15_000 }).toBe(true);
      writeFileSync(join(folder, `${name}.partial`), 'half of it');
      const askedAt = performance.now();
      await backups.stop();
      expect(performance.now() - askedAt).toBeLessThan(2_000);
      expect(backups.latest).toMatchObject({ state: 'failed', problem: expect.stringMatching(/cut off/) });
      expect(readdirSync(folder)).toEqual([]);
    } finally {
      database.close();
      rmSync(dataDir, { recursive: true });
    }
  });
});

if (hasPostgresql)
  describe('an installation of two daemons on PostgreSQL', { timeout: 120_000 }, () => {
    it('names both, says which answers, and how to back up instead', async () => {
      const two = await TwoDaemons.start();
      try {
        const shown = await two.client(1).call(get, {});
        expect(shown.nodes.map(({ answering, roles }) => [answering, roles.includes('voice')]).sort()).toEqual([
          [false, true],
          [true, false],
        ]);
        expect(shown.backups).toMatchObject({ available: false, files: [] });
        expect(shown.backups.instead).toContain('pg_dump');
        await expect(two.client(1).call(backUp, {})).rejects.toMatchObject({ code: 'backup_unsupported' });
      } finally {
        await two.stop();
      }
    });
  });
