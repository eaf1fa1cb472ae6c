/** Code that V8 compiled is kept in the user's cache folder, where that is safe, and its loss never shows. */
import { execFile } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const program = fileURLToPath(new URL('../../bin/earshot.js', import.meta.url));
const daemonProgram = fileURLToPath(new URL('../../bin/earshotd.js', import.meta.url));
const filesMax = 32;
let caches: string;
beforeEach(() => {
  caches = mkdtempSync(join(tmpdir(), 'earshot-caches-'));
});
afterEach(() => rmSync(caches, { recursive: true, force: true }));

const folder = () => join(caches, 'earshot/code');
const kept = () => (existsSync(folder()) ? readdirSync(folder()).sort() : []);
const only = () => join(folder(), kept()[0] ?? '');

/** `earshot profiles list`, which asks nobody. */
function command(
  env: Readonly<Record<string, string>> = {},
  line: readonly string[] = ['profiles', 'list', '--json'],
): Promise<{ code: number; stdout: string; stderr: string }> {
  const environment = { PATH: process.env.PATH ?? '', XDG_CACHE_HOME: caches, XDG_CONFIG_HOME: caches, ...env };
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...line], { env: environment }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    );
  });
}
const done = { code: 0, stdout: expect.stringMatching(/^\[/), stderr: '' };

describe('compiled code', () => {
  it('is kept by the first run of a command and used by the next', async () => {
    expect(await command()).toEqual(done);
    expect(kept()).toEqual([expect.stringMatching(/^profiles\.list-[0-9a-f]{16}-v.*\.code$/)]);
    expect(statSync(folder()).mode & 0o777).toBe(0o700);
    expect(statSync(only()).mode & 0o777).toBe(0o600);
    const { ino } = statSync(only());
    expect(await command()).toEqual(done);
    expect(statSync(only()).ino).toBe(ino);
  });

  it('of the daemon is used by its next start', { timeout: 60_000 }, async () => {
    const env = { PATH: process.env.PATH, XDG_CACHE_HOME: caches, HOME: caches };
    const exec = [daemonProgram, 'exec', '--set', 'EARSHOT_TRANSCRIBER=off', '--', process.execPath, '-e', ''];
    const inodes = async () => {
      await promisify(execFile)(process.execPath, exec, { env });
      return kept().map((name) => [name, statSync(join(folder(), name)).ino]);
    };
    const first = await inodes();
    expect(first).toContainEqual([expect.stringMatching(/^earshotd/), expect.any(Number)]);
    expect(await inodes()).toEqual(first);
  });

  it.each([
    ['empty', Buffer.alloc(0)],
    ['no code', Buffer.from('nonsense that is longer than a head')],
    ['a head alone', Buffer.from('\x16\0\0\0[["run.cjs",99999999]]')],
    ['of something else', Buffer.from('\x0f\0\0\0[["run.cjs",9]]123456789')],
  ])('that is %s does no harm and is replaced where V8 refuses it', async (_, bytes) => {
    await command();
    writeFileSync(only(), bytes);
    expect(await command()).toEqual(done);
    expect(statSync(only()).size).toBeGreaterThan(100_000);
  });

  it('is neither read nor written in a folder that others can write', async () => {
    await command();
    rmSync(only());
    chmodSync(folder(), 0o777);
    expect(await command()).toEqual(done);
    expect(kept()).toEqual([]);
  });

  it('does not follow a link to another folder', async () => {
    mkdirSync(join(caches, 'earshot'));
    mkdirSync(join(caches, 'elsewhere'));
    symlinkSync(join(caches, 'elsewhere'), folder());
    expect(await command()).toEqual(done);
    expect(kept()).toEqual([]);
  });

  it.each([
    ['a file in its place', () => writeFileSync(join(caches, 'earshot'), '')],
    ['no folder for caches', () => rmSync(caches, { recursive: true })],
  ])('is missed by nobody where there is %s', async (_, prepare) => {
    const config = mkdtempSync(join(tmpdir(), 'earshot-config-'));
    prepare();
    expect(await command({ XDG_CONFIG_HOME: config })).toEqual(done);
    expect(await command({ XDG_CONFIG_HOME: config, XDG_CACHE_HOME: '', HOME: '' })).toEqual(done);
    rmSync(config, { recursive: true, force: true });
  });

  it(`is kept for ${filesMax} commands; what was used longest ago goes`, async () => {
    await command(); // older than all others, and used once more below
    utimesSync(only(), 0, 0);
    await command();
    for (let index = 0; index < filesMax + 3; index += 1) {
      writeFileSync(join(folder(), `old${index}.code`), '');
      utimesSync(join(folder(), `old${index}.code`), index, index);
    }
    expect(await command({}, ['completion', 'bash'])).toMatchObject({ code: 0 });
    expect(kept()).toHaveLength(filesMax);
    expect(kept()).toContainEqual(expect.stringContaining('profiles.list'));
    expect(kept()).not.toContain('old0.code');
  });

  it('gives way to source maps, with which a stack names the sources', async () => {
    expect(await stackWith({ NODE_OPTIONS: '--enable-source-maps' })).toMatch(/src\/cli\/run\.ts:\d+/);
    expect(kept()).toEqual([]);
  });

  it('leaves stacks that name the file of the bundle', async () => {
    expect(await stackWith({})).toMatch(/dist\/cli\/[\w/.-]+\.cjs:\d+/);
  });
});

/** Returns the stderr of a command that ends by an error which nothing is prepared for: nothing can be printed. */
async function stackWith({ NODE_OPTIONS = '' }: Readonly<Record<string, string>>): Promise<string> {
  const broken = join(caches, 'broken.cjs');
  writeFileSync(broken, "process.stdout.write = () => { throw new TypeError('nothing can be printed'); };\n");
  const { stderr } = await command({ NODE_OPTIONS: `${NODE_OPTIONS} --require ${broken}` }, ['profiles', 'list']);
  rmSync(broken);
  return stderr;
}
