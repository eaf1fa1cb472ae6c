/** The package as its users install it: packed, put into an empty folder without what only developers need, and run from there. */
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { DaemonProcess } from '../support/daemon-process.js';
import { isRegistryAway } from '../support/registry.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'earshot-installed-'));
const modules = join(folder, 'node_modules');
const patienceMs = 300_000;
/** As docs/performance.md states it; a dependency that brings many more has to be seen. */
const packagesMax = 95;
const run = promisify(execFile);
const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));

/** false: the registry is not there, and this is not CI. */
async function install(): Promise<boolean> {
  const packed = ['pack', '--json', '--loglevel=error', '--pack-destination', folder];
  const { stdout } = await run('npm', packed, { cwd: root, maxBuffer: 16 * 1024 * 1024 });
  const [{ filename } = { filename: '' }] = z.array(z.object({ filename: z.string() })).parse(JSON.parse(stdout));
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const quick = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
  try {
    await run('npm', ['install', '--omit=dev', ...quick, join(folder, filename)], { cwd: folder });
  } catch (error) {
    if (!isRegistryAway(error)) throw error;
    console.warn('The npm registry is not there: the package is not installed by itself.');
    return false;
  }
  // Result of the one install script among the packages, which took a minute when the clone was installed.
  const binary = 'better-sqlite3/build/Release/better_sqlite3.node';
  cpSync(join(root, 'node_modules', binary), join(modules, binary));
  return true;
}

const isInstalled = await install();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(!isInstalled)('the package, installed by itself', { timeout: patienceMs }, () => {
  const bin = (name: string) => join(modules, '.bin', name);

  it('brings few packages, and none that only developers need', () => {
    const lock = readFileSync(join(modules, '.package-lock.json'), 'utf8');
    const { packages } = z.object({ packages: z.record(z.string(), z.unknown()) }).parse(JSON.parse(lock));
    expect(Object.keys(packages).length).toBeLessThanOrEqual(packagesMax);
    for (const name of ['@biomejs/biome', '@prisma/client', 'prisma', 'rolldown', 'typescript', 'vitest'])
      expect(packages).not.toHaveProperty([`node_modules/${name}`]);
  });

  it('knows its version, and shows help', async () => {
    const environment = { cwd: folder, env: { PATH: process.env.PATH, HOME: folder } };
    expect((await run(bin('earshot'), ['--version'], environment)).stdout).toContain(version);
    expect((await run(bin('earshot'), ['sanctions', 'issue', '--help'], environment)).stdout).toContain('USAGE');
  });

  it('runs a daemon that answers, and ends when it is asked to', async () => {
    const daemon = new DaemonProcess({}, { program: bin('earshotd'), makesTables: true });
    try {
      const { http } = await daemon.start();
      for (const path of ['/health/ready', '/rooms/demo', '/api/openapi.json'])
        expect((await fetch(http + path)).status, path).toBe(200);
      expect(await daemon.end('SIGTERM')).toBe(0);
    } finally {
      await daemon.dispose();
    }
  });
});
