/**
 * `restore`, `migrate` and `rotate-key`, killed before each of their steps: the state before or the state after is there,
 * whole, and the command can be repeated.
 */
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import BetterSqlite3 from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifySqlite } from '../../daemon/platform/database/backup.js';
import { requireNothingLost } from '../../daemon/platform/database/lost-database.js';
import { earshotd } from '../support/program.js';

const packageFolder = fileURLToPath(new URL('../..', import.meta.url));
const preloaded = join(import.meta.dirname, '../support/kill-at-step.cjs');
const versions = join(import.meta.dirname, '../upgrades/versions');
const folder = mkdtempSync(join(tmpdir(), 'earshot-killed-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const earlier = join(folder, 'earlier');
const current = join(folder, 'current');
const backup = join(folder, 'backup.db');
const pathIn = (dataDir: string) => join(dataDir, 'earshot.db');

function read<T>(path: string, work: (database: BetterSqlite3.Database) => T): T {
  const database = new BetterSqlite3(path, { readonly: true });
  try {
    return work(database);
  } finally {
    database.close();
  }
}
const nameIn = (path: string) => read(path, (database) => database.prepare('SELECT name FROM Project').pluck().get());
const tablesIn = (path: string) =>
  read(path, (database) => database.prepare('SELECT name, sql FROM sqlite_master ORDER BY name').all());

beforeAll(async () => {
  cpSync(join(versions, 'key-ring.json'), join(earlier, 'key-ring.json'));
  writeFileSync(pathIn(earlier), brotliDecompressSync(readFileSync(join(versions, '0065-08d0e97f.db.br'))));
  const made = join(folder, 'made');
  cpSync(earlier, made, { recursive: true });
  expect(await earshotd(made, ['migrate'])).toMatchObject({ code: 0 });
  const database = new BetterSqlite3(pathIn(made));
  database.exec("UPDATE Project SET name = 'new'");
  database.prepare('VACUUM INTO ?').run(backup);
  database.pragma('journal_mode = WAL');
  database.exec("UPDATE Project SET name = 'old'"); // in the write-ahead log alone
  cpSync(made, current, { recursive: true });
  database.close();
  for (const name of readdirSync(current)) if (name.includes('.before-')) rmSync(join(current, name));
  expect(readdirSync(current)).toContain('earshot.db-wal');
});

/** Kills the command before each step, in a copy of the data folder, which is looked at afterwards. */
async function killAtEachStep(
  before: string,
  args: readonly string[],
  look: (dataDir: string) => Promise<void>,
): Promise<void> {
  const run = (dataDir: string, env: Readonly<Record<string, string>>) =>
    earshotd(dataDir, args, { env: { KILL_PACKAGE: packageFolder, NODE_OPTIONS: `--require ${preloaded}`, ...env } });
  const list = join(folder, 'steps');
  rmSync(list, { force: true });
  const whole = mkdtempSync(join(folder, 'whole-'));
  cpSync(before, whole, { recursive: true });
  expect(await run(whole, { KILL_STEPS_FILE: list })).toMatchObject({ code: 0 });
  const steps = readFileSync(list, 'utf8').trim().split('\n');
  expect(steps.length).toBeGreaterThan(20);
  for (const [index, step] of steps.entries()) {
    const dataDir = mkdtempSync(join(folder, 'killed-'));
    cpSync(before, dataDir, { recursive: true });
    expect(await run(dataDir, { KILL_AT_STEP: String(index + 1) }), step).toMatchObject({ code: -1 });
    try {
      await look(dataDir);
    } catch (cause) {
      throw new Error(`Killed before step ${index + 1}, ${step}: ${String(cause)}`, { cause });
    }
    rmSync(dataDir, { recursive: true, force: true });
  }
}

describe('killed before each of its steps,', { timeout: 600_000 }, () => {
  it('a restore leaves the old or the new database, and says which where it has not ended', async () => {
    const seen = new Set<unknown>();
    await killAtEachStep(current, ['restore', backup], async (dataDir) => {
      const path = pathIn(dataDir);
      verifySqlite(path);
      const name = nameIn(path);
      seen.add(name);
      if (existsSync(`${path}.restoring`)) {
        expect(name).toBe('old');
        expect(() => requireNothingLost(path, dataDir)).toThrow(/did not end/);
      } else requireNothingLost(path, dataDir);
      for (const kept of readdirSync(dataDir).filter((file) => /before-restore-[^.]*$/.test(file)))
        expect(nameIn(join(dataDir, kept))).toBe('old');
      expect(await earshotd(dataDir, ['restore', backup])).toMatchObject({ code: 0 });
      expect(nameIn(path)).toBe('new');
      expect(existsSync(`${path}.restoring`)).toBe(false);
    });
    expect(seen).toEqual(new Set(['old', 'new']));
  });

  it('a migration leaves tables that the next one completes, and whole copies', async () => {
    const { events, projects } = verifySqlite(pathIn(earlier));
    const tables = tablesIn(pathIn(current));
    await killAtEachStep(earlier, ['migrate'], async (dataDir) => {
      expect(verifySqlite(pathIn(dataDir))).toMatchObject({ events, projects });
      for (const kept of readdirSync(dataDir).filter((file) => /\.before-[^.]*$/.test(file)))
        expect(tablesIn(join(dataDir, kept))).toEqual(tablesIn(pathIn(earlier)));
      expect(await earshotd(dataDir, ['migrate'])).toMatchObject({ code: 0 });
      expect(tablesIn(pathIn(dataDir))).toEqual(tables);
      expect(verifySqlite(pathIn(dataDir))).toMatchObject({ events, projects });
    });
  });

  it('a rotation leaves secrets that the key ring opens, and ends when it is repeated', async () => {
    const opened = { code: 0, stdout: expect.stringContaining('its secrets can be opened here') };
    await killAtEachStep(current, ['rotate-key'], async (dataDir) => {
      expect(await earshotd(dataDir, ['verify'])).toMatchObject(opened);
      expect(await earshotd(dataDir, ['rotate-key'])).toMatchObject({ code: 0 });
      expect(await earshotd(dataDir, ['verify'])).toMatchObject(opened);
    });
  });
});
