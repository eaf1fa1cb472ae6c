/** When `npm start` and `npm test` build again, in a folder whose build takes no time. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';

const setUp = pathToFileURL(join(import.meta.dirname, '../../bin/set-up.mjs')).href;
const script = `import { build } from '${setUp}'; build(process.argv[1], { library: process.argv[2] === 'library' });`;
let folder: string;

/** Written some seconds before now, or after it. */
function write(path: string, text: string, seconds = -60): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  const time = new Date(Date.now() + seconds * 1_000);
  utimesSync(file, time, time);
}

const scripts = (programs: string) =>
  JSON.stringify({ scripts: { build: `${programs} && node bin/library.mjs`, 'build:programs': programs } });
const { PATH, HOME } = process.env;
const build = (...which: string[]) =>
  spawnSync(process.execPath, ['--input-type=module', '-e', script, folder, ...which], {
    encoding: 'utf8',
    env: { PATH, HOME },
  });

/** True if it builds. */
function builds(): boolean {
  const { status, stderr } = build();
  expect({ status, stderr }).toEqual({
    status: 0,
    stderr: expect.stringMatching(/^(Building … It needs 1024 MiB of memory; this machine has \d+\.\n)?$/),
  });
  expect(existsSync(join(folder, 'dist/start/earshotd.cjs'))).toBe(true);
  return stderr !== '';
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'earshot-set-up-'));
  write('package.json', scripts('node bin/build.mjs'));
  write(
    'bin/build.mjs',
    `import { mkdirSync, writeFileSync } from 'node:fs';
    for (const made of ['dist/start', 'src/generated', 'prisma/.build']) mkdirSync(made, { recursive: true });
    for (const made of ['dist/start/earshotd.cjs', 'src/generated/a.ts', 'prisma/.build/a']) writeFileSync(made, '');`,
  );
  write(
    'bin/library.mjs',
    `import { mkdirSync, writeFileSync } from 'node:fs';
    mkdirSync('dist/src', { recursive: true });
    writeFileSync('dist/src/index.js', '');`,
  );
  write('src/main.ts', 'one');
  write('docs/page.md', 'one');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('builds once while nothing changes, whatever the build has written itself', () => {
  expect([builds(), builds()]).toEqual([true, false]);
});

it.each(['src/main.ts', 'daemon/new.ts', 'web/index.html', 'package.json'])('builds again when %s changes', (path) => {
  builds();
  const text = path === 'package.json' ? scripts('node ./bin/build.mjs') : 'two';
  write(path, text, 0);
  expect([builds(), builds()]).toEqual([true, false]);
});

it('leaves the build as it is when a page of the documentation changes', () => {
  builds();
  write('docs/page.md', 'two', 60);
  expect(builds()).toBe(false);
});

it('builds again when a source was changed during the build', () => {
  write(
    'bin/change.mjs',
    `import { readFileSync, writeFileSync } from 'node:fs';
    if (readFileSync('src/main.ts', 'utf8') === 'one') writeFileSync('src/main.ts', 'two');`,
  );
  write('package.json', scripts('node bin/build.mjs && node bin/change.mjs'));
  expect([builds(), builds(), builds()]).toEqual([true, true, false]);
});

it('builds again when what it has built is gone', () => {
  builds();
  rmSync(join(folder, 'dist'), { recursive: true });
  expect([builds(), builds()]).toEqual([true, false]);
});

it('builds the library only for who needs it, and then not the programs again for a start', () => {
  expect(builds()).toBe(true);
  expect(existsSync(join(folder, 'dist/src/index.js'))).toBe(false);
  expect(build('library').stderr).toContain('Building … It needs 3072 MiB');
  expect(existsSync(join(folder, 'dist/src/index.js'))).toBe(true);
  expect([build('library').stderr, builds()]).toEqual(['', false]);
});

it('says so when the build fails, and tries again the next time', () => {
  write('bin/build.mjs', 'process.exit(1);');
  for (const once of ['once', 'again']) {
    const { status, stderr } = build();
    expect([once, status, stderr]).toEqual([once, 1, expect.stringContaining('The build failed')]);
  }
});

it('builds the module of SQLite again once another Node.js has come', () => {
  // It loads once npm has built it, as one of another Node.js does not before.
  const module = 'node_modules/better-sqlite3';
  write(`${module}/index.js`, "module.exports = require('./built.js');");
  write(
    'npm.mjs',
    `import { writeFileSync } from 'node:fs';
    if (process.argv[2] === 'rebuild') writeFileSync(process.argv[3].replace(/^/, 'node_modules/') + '/built.js', 'module.exports = class {};');
    console.error(process.argv.slice(2, 4).join(' '));`,
  );
  const start = () =>
    spawnSync(
      process.execPath,
      ['--input-type=module', '-e', `import { rebuild } from '${setUp}'; rebuild(process.argv[1]);`, folder],
      {
        encoding: 'utf8',
        env: { PATH, HOME, npm_execpath: join(folder, 'npm.mjs') },
      },
    );
  const first = start();
  expect([first.status, first.stderr]).toEqual([
    0,
    expect.stringMatching(/another Node\.js than v[\d.]+; .*\nrebuild better-sqlite3\n$/s),
  ]);
  expect(start().stderr).toBe('');
  write(`${module}/index.js`, "throw new Error('NODE_MODULE_VERSION');");
  expect([start().status, start().stderr]).toEqual([1, expect.stringContaining('npm install failed')]);
});
