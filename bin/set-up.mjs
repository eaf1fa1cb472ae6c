/**
 * Prepares a fresh clone for `npm start` and `npm test`: install, build, download the recogniser. Plain JavaScript,
 * no dependencies. A start installs what is bundled and bundles it; only a developer's machine gets the compiler, the checks and
 * the suites (the workspace `bin/tools`), and the library.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { totalmem } from 'node:os';
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

/** Memory that a start needs at most, and that compiling the library with its types needs as well, in MiB. */
const startMib = 1_024;
const compilerMib = 3_072;
/** V8 knows the limit of a container; it is a huge number, or none, where there is no limit. */
const memoryMib = Math.floor(
  Math.min(totalmem(), process.constrainedMemory?.() || Number.POSITIVE_INFINITY) / 1024 ** 2,
);
const needs = (library) => `It needs ${library ? compilerMib : startMib} MiB of memory; this machine has ${memoryMib}.`;

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

function npm(folder, ...args) {
  const headers = nodedir();
  const env = {
    ...process.env,
    ...(headers === null ? {} : { npm_config_nodedir: headers }),
    CHECKPOINT_DISABLE: '1',
  };
  const [program, first] = process.env.npm_execpath ? [process.execPath, [process.env.npm_execpath]] : ['npm', []];
  return spawnSync(program, [...first, ...args, '--loglevel=error'], { cwd: folder, stdio: ['ignore', 2, 2], env });
}

/** The one module that is built for a version of Node.js, and loads with no other. */
const bound = 'better-sqlite3';
const isBuiltForThis = (folder) => {
  const use = `new (require(${JSON.stringify(bound)}))(':memory:')`;
  return spawnSync(process.execPath, ['-e', use], { cwd: folder, stdio: 'ignore' }).status === 0;
};

/** Where another Node.js than that of the installation has come. @param folder as that of `build` */
export function rebuild(folder = root) {
  if (isBuiltForThis(folder)) return;
  say(`${bound} was built for another Node.js than ${process.version}; building it again (a minute or two) …`);
  if (npm(folder, 'rebuild', bound).status !== 0 || !isBuiltForThis(folder)) explainInstall();
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

/** Installs what is bundled, and with `tools` what developers need; what a developer has installed stays. */
export function install({ tools = false } = {}) {
  requireNode();
  const lock = readFileSync(join(root, 'package-lock.json'), 'utf8');
  const hadTools = existsSync(stampFile(root, 'installed'));
  if (stamped('installed', lock) || (!tools && !hadTools && stamped('installed-start', lock))) return rebuild();
  say(`Installing packages (${tools ? 'several minutes' : 'a minute or two'}, once) …`);
  if (memoryMib < startMib) say(needs(false));
  // Optional peers of what is bundled are tools: the CLI of Prisma brings a hundred packages.
  const workspaces = tools || hadTools ? [] : ['--workspaces=false', '--legacy-peer-deps'];
  // Not `npm ci`: it removes and installs everything again whenever one package has changed.
  const { status, signal } = npm(
    root,
    'install',
    '--no-save',
    '--include=dev',
    ...workspaces,
    '--no-fund',
    '--no-audit',
  );
  if (signal !== null) give(`npm install was ended by ${signal}. ${needs(tools)}`);
  if (status !== 0) explainInstall();
  stamp(root, workspaces.length === 0 ? 'installed' : 'installed-start', lock);
}

/** Files that the build itself writes beside the sources, as excluded by `find`. */
const made = ['*/generated/*', 'prisma/.build/*'].flatMap((path) => ['-not', '-path', path]);

/** Scripts of package.json that build: what a daemon runs, and that with the library and its types. */
const programs = { script: 'build:programs', stamps: ['built-programs', 'built'], made: 'dist/start/earshotd.cjs' };
const everything = { script: 'build', stamps: ['built'], made: 'dist/src/index.js' };

const isCurrent = (folder, sources, name) => {
  const file = stampFile(folder, name);
  if (!existsSync(file)) return false;
  const newer = [...sources, '-type', 'f', ...made, '-newer', file];
  return execFileSync('find', newer, { cwd: folder, encoding: 'utf8' }).trim() === '';
};

/** @param folder of the repository; its test has a small one of its own */
export function build(folder = root, { library = false } = {}) {
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
  const wanted = library ? everything : programs;
  const isBuilt = [programs.made, wanted.made].every((file) => existsSync(join(folder, file)));
  if (isBuilt && wanted.stamps.some((name) => isCurrent(folder, sources, name))) return;
  say(`Building … ${needs(library)}`);
  const began = new Date(); // what is changed from now on may not be in it
  const run = spawnSync('npm', ['run', '--silent', wanted.script], { cwd: folder, stdio: ['ignore', 2, 2] });
  if (run.status !== 0) give(`The build failed; what it printed above says why. ${needs(library)}`);
  stamp(folder, wanted.stamps[0], '');
  utimesSync(stampFile(folder, wanted.stamps[0]), began, began);
}

/**
 * Speech is part of the set-up, in the background: the daemon runs meanwhile, and uses the recogniser once it is there. A failure
 * stops nothing: the daemon says what is missing. `settings` are the arguments of `earshotd run`, so both go by the same settings.
 */
export function fetchSpeech(settings) {
  return spawn(process.execPath, [join(root, 'bin/earshotd.js'), 'speech', 'install', '--if-wanted', ...settings], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
}
