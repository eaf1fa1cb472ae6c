/**
 * The package as npm would publish it: what it holds, that it works elsewhere without the rest of the clone, and that it
 * runs as its users install it, without what only developers need.
 */
import { execFile, execFileSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'rolldown';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { DaemonProcess } from '../support/daemon-process.js';
import { isRegistryAway } from '../support/registry.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const consumer = fileURLToPath(new URL('./consumer', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'earshot-package-'));
const installed = join(folder, 'node_modules/earshot');
const run = promisify(execFile);
const patienceMs = 120_000;
const Packed = z.array(
  z.object({ filename: z.string(), size: z.int(), files: z.array(z.object({ path: z.string() })) }),
);
const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));

const told = execFileSync('npm', ['pack', '--json', '--loglevel=error', '--pack-destination', folder], { cwd: root });
const [packed] = Packed.parse(JSON.parse(told.toString('utf8')));
const archive = join(folder, packed?.filename ?? '');
const listed = packed?.files.map(({ path }) => path) ?? [];
mkdirSync(installed, { recursive: true });
execFileSync('tar', ['-xzf', archive, '-C', installed, '--strip-components=1']);
symlinkSync(join(root, 'node_modules'), join(installed, 'node_modules'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Somewhere beside the package, as a project that depends on it. */
const node = (...args: string[]) =>
  run(process.execPath, args, { cwd: folder, env: { PATH: process.env.PATH, HOME: folder }, timeout: patienceMs });

describe('the package', { timeout: patienceMs }, () => {
  it('holds the programs, the library, migrations and pages, and nothing of the workshop', () => {
    for (const path of ['LICENSE', 'README.md', 'bin/earshot.js', 'bin/earshotd.js', 'oclif.manifest.json'])
      expect(listed).toContain(path);
    for (const database of ['sqlite', 'postgresql'])
      expect(listed).toContain(`prisma/${database}/migrations/0001_initial/migration.sql`);
    const places =
      /^(LICENSE|README\.md|package\.json|oclif\.manifest\.json|bin\/(earshotd?\.js|package\.json)|dist\/(commit$|(src|cli|earshotd|start|web)\/)|prisma\/\w+\/migrations\/|web\/assets\/)/;
    expect(listed.filter((path) => !places.test(path))).toEqual([]);
  });

  it('is as large as README.md says', () => {
    const [, said] = /earshot-[\d.]+\.tgz +# (\d+) MB;/.exec(readFileSync(join(root, 'README.md'), 'utf8')) ?? [];
    expect(Math.abs((packed?.size ?? 0) / 1e6 - Number(said))).toBeLessThan(1);
  });

  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const types = ['--typeRoots', join(root, 'node_modules/@types')];
  const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--skipLibCheck'];
  const compile = (file: string, ...options: string[]) =>
    node(tsc, ...strict, ...types, '--target', 'es2023', ...options, file);

  it('types a strict program that resolves by bundler', async () => {
    copyFileSync(join(consumer, 'program.mts'), join(folder, 'bundled.mts'));
    const resolution = ['--module', 'esnext', '--moduleResolution', 'bundler', '--types', 'node'];
    await compile('bundled.mts', '--noEmit', ...resolution);
  });

  it('types a strict program that resolves by node16, which runs against a daemon', async () => {
    copyFileSync(join(consumer, 'program.mts'), join(folder, 'program.mts'));
    await compile('program.mts', '--module', 'node16', '--types', 'node');
    const exec = [join(installed, 'bin/earshotd.js'), 'exec', '--set', 'EARSHOT_TRANSCRIBER=off', '--'];
    expect((await node(...exec, process.execPath, 'program.mjs')).stdout.trim()).toBe('all of it');
  });

  describe('as docs/library.md and docs/events.md show it', () => {
    const [call = '', follow = '', ...inBrowsers] = ['library.md', 'events.md'].flatMap((page) =>
      [...readFileSync(join(root, 'docs', page), 'utf8').matchAll(/^```[tj]s\n(.*?)^```$/gms)].map(
        ([, text = '']) => text,
      ),
    );

    it('calls the daemon, and follows events', async () => {
      const program = [
        ...['const { EARSHOT_API_KEY: key = "", EARSHOT_PROJECT: projectId = "" } = process.env;'],
        call.replace("'http://127.0.0.1:8080'", 'process.env.EARSHOT_URL ?? ""'),
        'const body = { type: "warn", externalUserId: "u2", reason: "again" } as const;',
        'setInterval(() => void client.call(routes.sanctions.create, { params: { projectId }, body }), 300);',
        follow.replace(/^}$/m, '  process.exit();\n}'),
      ];
      writeFileSync(join(folder, 'shown.mts'), program.join('\n'));
      await compile('shown.mts', '--module', 'node16', '--types', 'node');
      const exec = [join(installed, 'bin/earshotd.js'), 'exec', '--set', 'EARSHOT_TRANSCRIBER=off', '--'];
      const { stdout } = await node(...exec, process.execPath, 'shown.mjs');
      expect(stdout.trim().split('\n')).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\dT/), 'u2 again']);
    });

    it('takes a seat in a room, and follows events by an EventSource', async () => {
      expect(inBrowsers.length).toBeGreaterThanOrEqual(3);
      const program = [
        "import { type EarshotClient, type RoomAccess, RoomCall, roomEventSourceUrl } from 'earshot/browser';",
        'declare const client: EarshotClient, projectId: string, access: RoomAccess, microphone: MediaStreamTrack;',
        'declare function play(sound: MediaStream, line: unknown): void;',
        'declare function show(person: unknown): void;',
        ...inBrowsers.map((text, index) => `export async function shown${index}() {\n${text}}`),
      ];
      writeFileSync(join(folder, 'shown-page.mts'), program.join('\n'));
      const lib = ['--lib', 'es2023,dom,dom.iterable', '--types', ''];
      await compile('shown-page.mts', '--noEmit', '--module', 'esnext', '--moduleResolution', 'bundler', ...lib);
    });
  });

  it.each([
    ['by earshot/browser', 'earshot/browser', []],
    ['by the condition of bundlers', 'earshot', ['--customConditions', 'browser']],
  ])('types a page that knows nothing of Node.js, %s', async (_, name, options) => {
    const text = readFileSync(join(consumer, 'page.mts'), 'utf8').replace("'earshot/browser'", `'${name}'`);
    writeFileSync(join(folder, 'page.mts'), text);
    const lib = ['--lib', 'es2023,dom,dom.iterable', '--types', ''];
    await compile('page.mts', '--noEmit', '--module', 'esnext', '--moduleResolution', 'bundler', ...lib, ...options);
  });

  it('is bundled for a browser without a word about Node.js', async () => {
    writeFileSync(join(folder, 'entry.mjs'), "export * from 'earshot';\n");
    const warnings: string[] = [];
    const { output } = await build({
      ...{ cwd: folder, input: 'entry.mjs', platform: 'browser', write: false },
      onLog: (_, { message }) => warnings.push(message),
    });
    expect(warnings).toEqual([]);
    expect(output[0].exports).toEqual(expect.arrayContaining(['EarshotClient', 'RoomCall', 'routes', 'verifyWebhook']));
    const own = output.map(({ fileName }) => fileName);
    const imports = output.flatMap((one) => (one.type === 'chunk' ? one.imports : []));
    expect(imports.filter((name) => !own.includes(name))).toEqual([]);
  });

  /** Bytes, compressed, of a page that imports these of the library. */
  const bytesOf = async (names: string) => {
    writeFileSync(join(folder, 'part.mjs'), `export { ${names} } from 'earshot';\n`);
    const { output } = await build({
      ...{ cwd: folder, input: 'part.mjs', platform: 'browser', write: false, output: { minify: true } },
    });
    return output.reduce((sum, part) => sum + (part.type === 'chunk' ? gzipSync(part.code).length : 0), 0);
  };
  it.each([
    ['verifyWebhook', 15_000],
    ['RoomCall', 15_000],
    ['EarshotClient', 85_000],
  ])('gives a page that imports %s alone at most %i bytes', async (names, bytesMax) => {
    const bytes = await bytesOf(names);
    expect(bytes).toBeGreaterThan(500);
    expect(bytes).toBeLessThan(bytesMax);
  });

  it('names its package.json, and a part that verifies webhooks alone', async () => {
    const program =
      "import earshot from 'earshot/package.json' with { type: 'json' }; import { verifyWebhook } from 'earshot/verify'; " +
      'console.log(earshot.version, typeof verifyWebhook)';
    const { stdout } = await node('--no-warnings', '--input-type=module', '-e', program);
    expect(stdout.trim()).toBe(`${version} function`);
  });

  it('shows nothing that `exports` does not name', async () => {
    await expect(node('--input-type=module', '-e', "import 'earshot/dist/daemon/daemon.js'")).rejects.toThrow(
      'ERR_PACKAGE_PATH_NOT_EXPORTED',
    );
  });

  it('brings both programs, and a daemon that starts', async () => {
    const [earshot, earshotd] = [join(installed, 'bin/earshot.js'), join(installed, 'bin/earshotd.js')];
    expect((await node(earshot, '--version')).stdout).toContain(version);
    expect((await node(earshot, 'sanctions', 'issue', '--help')).stdout).toContain('USAGE');
    expect((await node(earshotd, '--help')).stdout).toContain('rotate-key');
    const settings = ['--set', 'EARSHOT_TRANSCRIBER=off'];
    const asked =
      'fetch(process.env.EARSHOT_URL + "/rooms/demo").then(({ status }) => process.exit(status === 200 ? 0 : 1))';
    await node(earshotd, 'exec', ...settings, '--', process.execPath, '-e', asked);
  });
});

const alone = join(folder, 'alone');
const modules = join(alone, 'node_modules');
const installMs = 300_000;
/** As docs/performance.md states it; a dependency that brings many more has to be seen. */
const packagesMax = 95;

/** false: the registry is not there, and this is not CI. */
async function install(): Promise<boolean> {
  mkdirSync(alone);
  writeFileSync(join(alone, 'package.json'), '{ "private": true }');
  const quick = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
  try {
    await run('npm', ['install', '--omit=dev', ...quick, archive], { cwd: alone });
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
describe.skipIf(!isInstalled)('the package, installed by itself', { timeout: installMs }, () => {
  const bin = (name: string) => join(modules, '.bin', name);

  it('brings few packages, and none that only developers need', () => {
    const lock = readFileSync(join(modules, '.package-lock.json'), 'utf8');
    const { packages } = z.object({ packages: z.record(z.string(), z.unknown()) }).parse(JSON.parse(lock));
    expect(Object.keys(packages).length).toBeLessThanOrEqual(packagesMax);
    for (const name of ['@biomejs/biome', '@prisma/client', 'prisma', 'rolldown', 'typescript', 'vitest'])
      expect(packages).not.toHaveProperty([`node_modules/${name}`]);
  });

  it('knows its version, and shows help', async () => {
    const environment = { cwd: alone, env: { PATH: process.env.PATH, HOME: alone } };
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
