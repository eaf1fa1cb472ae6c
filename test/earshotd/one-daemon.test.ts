/** One daemon per data folder and database: seen from a container, from another data folder, and by migrations. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import BetterSqlite3 from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { administrator, DaemonProcess } from '../support/daemon-process.js';
import { inSqlite } from '../support/database.js';
import { earshotd, inNamespace } from '../support/program.js';

function canMakeNamespaces(): boolean {
  const [program, ...flags] = inNamespace;
  try {
    execFileSync(program, [...flags, 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const folder = mkdtempSync(join(tmpdir(), 'earshot-one-daemon-'));
const daemon = new DaemonProcess(inSqlite);
const backup = join(folder, 'backup.db');
const ports = { EARSHOT_PORT: '0', EARSHOT_MQTT_PORT: '0', EARSHOT_MEDIA_PORT: '0', EARSHOT_TRANSCRIBER: 'off' };
let admin: EarshotClient;
beforeAll(async () => {
  await daemon.start();
  const { accessToken: token } = await new EarshotClient({ baseUrl: daemon.url }).call(accountRoutes.loginCredentials, {
    body: administrator,
  });
  admin = new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token } });
  expect(await earshotd(daemon.dataDir, ['backup', backup])).toMatchObject({ code: 0 });
});
afterAll(async () => {
  await daemon.dispose();
  rmSync(folder, { recursive: true, force: true });
});
const names = async () => (await admin.call(projectRoutes.list, {})).map(({ name }) => name);

describe('a daemon that runs', { timeout: 240_000 }, () => {
  it.skipIf(!canMakeNamespaces())('is seen from a container, which replaces nothing under it', async () => {
    await admin.call(projectRoutes.create, { body: { name: 'after the backup' } });
    for (const args of [['restore', backup], ['migrate'], ['run']])
      expect(await earshotd(daemon.dataDir, args, { env: ports, through: inNamespace })).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/^Another daemon \(process \d+ on .*\) uses this data folder\. Stop it first/),
      });
    expect((await earshotd(daemon.dataDir, ['doctor'], { through: inNamespace })).stdout).toMatch(
      /daemon +runs as process/,
    );
    const users = await earshotd(daemon.dataDir, ['users', 'list'], { through: inNamespace });
    expect(users).toMatchObject({ code: 0, stdout: expect.stringContaining(administrator.email) });
    await daemon.end('SIGKILL');
    await daemon.start();
    expect(await names()).toContain('after the backup');
  });

  it('keeps a daemon with another data folder from its database', async () => {
    const env = { ...ports, DATABASE_URL: daemon.databaseUrl };
    for (const args of [['run'], ['users', 'list'], ['restore', backup], ['migrate']])
      expect(await earshotd(join(folder, 'other'), args, { env })).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/uses the database .*earshot\.db\. Stop it first, or set DATABASE_URL/),
      });
    expect(await earshotd(daemon.dataDir, ['run'], { env: ports })).toMatchObject({ code: 1 });
    expect(await names()).toContain('after the backup');
  });
});

describe('earshotd migrate', { timeout: 240_000 }, () => {
  const versions = join(import.meta.dirname, '../upgrades/versions');
  const path = (dataDir: string) => join(dataDir, 'earshot.db');
  function earlierVersion(): string {
    const dataDir = mkdtempSync(join(folder, 'earlier-'));
    writeFileSync(path(dataDir), brotliDecompressSync(readFileSync(join(versions, '0029-b64beab9.db.br'))));
    copyFileSync(join(versions, 'key-ring.json'), join(dataDir, 'key-ring.json'));
    return dataDir;
  }

  it('applies each migration once, however many begin at the same time', async () => {
    const dataDir = earlierVersion();
    const ended = await Promise.all([1, 2, 3].map(() => earshotd(dataDir, ['migrate'])));
    expect(ended.filter(({ code, stdout }) => code === 0 && stdout.includes('applied'))).toHaveLength(1);
    for (const { code, stderr } of ended)
      expect(code === 0 ? '' : stderr).toMatch(/^$|^Another daemon .* uses this data folder.*\n$/);
    const database = new BetterSqlite3(path(dataDir));
    const names = database.prepare('SELECT migration_name FROM "_prisma_migrations"').pluck().all();
    database.close();
    expect(new Set(names).size).toBe(names.length);
    expect(await earshotd(dataDir, ['migrate'])).toMatchObject({ code: 0, stdout: 'The database is up to date.\n' });
  });

  it('changes no table under a program that has the database open', async () => {
    const dataDir = earlierVersion();
    const other = new BetterSqlite3(path(dataDir));
    other.pragma('journal_mode = WAL');
    const schema = () => other.prepare('SELECT count(*) FROM sqlite_master').pluck().get();
    const before = schema();
    expect(await earshotd(dataDir, ['migrate'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^Another program uses .*Stop it first/),
    });
    expect(schema()).toBe(before);
    other.close();
    expect(await earshotd(dataDir, ['migrate'])).toMatchObject({ code: 0 });
  });
});
