/**
 * Prepares a fresh clone for `npm start` and `npm test`: install, build, download the recogniser. Plain JavaScript,
 * no dependencies.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
const stampFile = (folder, name) => join(folder, 'node_modules', '.earshot', name);

const say = (line) => process.stderr.write(`${line}\n`);

/** Ends the program with one sentence that says what to do. */
function give(sentence) {
  say(sentence);
  process.exit(1);
}

function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19))
    give(`Earshot needs Node.js 20.19 or newer; this is ${process.versions.node}.`);
}

const has = (program) => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;

/** A compiler is needed only where better-sqlite3 has no ready binary; printed when the install has failed. */
function explainInstall() {
  const missing = ['python3', 'make', 'g++'].filter((program) => !has(program));
  if (missing.length === 0) give('npm install failed; what it printed above says why.');
  give(`npm install failed, and ${missing.join(', ')} is missing here. On Debian: apt-get install -y python3 make g++`);
}

/** Node's own headers save the compiler a download when they are next to the running program. */
function nodedir() {
  const prefix = dirname(dirname(process.execPath));
  return existsSync(join(prefix, 'include', 'node', 'node.h')) ? prefix : null;
}

function stamped(name, of) {
  const stamp = stampFile(root, name);
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === of;
}

function stamp(folder, name, of) {
  const file = stampFile(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, of);
}

export function install() {
  requireNode();
  const lock = readFileSync(join(root, 'package-lock.json'), 'utf8');
  if (stamped('installed', lock)) return;
  say('Installing packages (a minute or two, once) …');
  const headers = nodedir();
  const environment = {
    ...process.env,
    ...(headers === null ? {} : { npm_config_nodedir: headers }),
    CHECKPOINT_DISABLE: '1',
  };
  const npm = process.env.npm_execpath ? [process.execPath, [process.env.npm_execpath]] : ['npm', []];
  // Not `npm ci`: it removes and installs everything again whenever one package has changed.
  const args = [...npm[1], 'install', '--no-save', '--include=dev', '--no-fund', '--no-audit', '--loglevel=error'];
  if (spawnSync(npm[0], args, { cwd: root, stdio: ['ignore', 2, 2], env: environment }).status !== 0) explainInstall();
  stamp(root, 'installed', lock);
}

/** Files that the build itself writes beside the sources, as excluded by `find`. */
const made = ['*/generated/*', 'prisma/.build/*'].flatMap((path) => ['-not', '-path', path]);

const newerThanBuild = (folder, paths) => {
  const newer = [...paths, '-type', 'f', ...made, '-newer', stampFile(folder, 'built')];
  return execFileSync('find', newer, { cwd: folder, encoding: 'utf8' }).trim() !== '';
};

/** @param folder of the repository; its test has a small one of its own */
export function build(folder = root) {
  const sources = [
    'src',
    'bin',
    'daemon',
    'commands',
    'prisma',
    'web',
    'package.json',
    'tsconfig.json',
    'tsconfig.build.json',
  ].filter((path) => existsSync(join(folder, path)));
  const built = existsSync(stampFile(folder, 'built')) && existsSync(join(folder, 'dist/start/earshotd.cjs'));
  if (built && !newerThanBuild(folder, sources)) return;
  say('Building …');
  const began = new Date(); // what is changed from now on may not be in it
  const run = spawnSync('npm', ['run', '--silent', 'build'], { cwd: folder, stdio: ['ignore', 2, 2] });
  if (run.status !== 0) give('The build failed; what it printed above says why.');
  stamp(folder, 'built', '');
  utimesSync(stampFile(folder, 'built'), began, began);
}

/**
 * Speech is part of the set-up, but a failure here stops nothing: the daemon says what is missing. `settings` are the
 * arguments of `earshotd run`, so both go by the same settings.
 */
export function fetchSpeech(settings) {
  spawnSync(process.execPath, [join(root, 'bin/earshotd.js'), 'speech', 'install', '--if-wanted', ...settings], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
}
