// `npm run check:platforms`: asks the registry whether `npm ci` can succeed on every platform that Earshot supports. For
// each of them it takes from package-lock.json what npm would fetch there (`--os`, `--cpu`) and asks for the file of each
// version. Ends with 0 and says so where the registry is not reachable. `-- --all` asks for every package, and
// `-- --install` runs `npm ci` as on each platform, which takes minutes.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const systems = ['linux', 'darwin', 'win32'];
const processors = ['x64', 'arm64'];
const atOnce = 8;
const attempts = 3;

const { packages } = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'));
const registry = (process.env.npm_config_registry ?? 'https://registry.npmjs.org/').replace(/\/*$/, '/');

const nameOf = (path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
/** True if one of `allowed` (all where there is none) is the value; `!value` excludes. */
const admits = (allowed, value) =>
  allowed === undefined ||
  (!allowed.includes(`!${value}`) && (allowed.includes(value) || allowed.every((one) => one.startsWith('!'))));

const entries = Object.entries(packages).filter(([path, { link, version }]) => path !== '' && !link && version);
const bound = entries.filter(([, { os, cpu }]) => os !== undefined || cpu !== undefined);
const everywhere = entries.filter((entry) => !bound.includes(entry));

/** Address of the package's file, on the registry that is configured. */
const fileOf = ([path, { version, name = nameOf(path), resolved }]) =>
  resolved?.replace(/^https:\/\/registry\.npmjs\.org\//, registry) ??
  `${registry}${name}/-/${name.split('/').at(-1)}-${version}.tgz`;

async function status(address) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const answer = await fetch(address, { method: 'HEAD', signal: AbortSignal.timeout(20_000) });
      if (answer.status < 500 || attempt === attempts) return answer.status;
    } catch (error) {
      if (attempt === attempts) return error;
    }
  }
}

async function statuses(addresses) {
  const found = new Map();
  const waiting = [...new Set(addresses)];
  const worker = async () => {
    for (let address = waiting.pop(); address !== undefined; address = waiting.pop())
      found.set(address, await status(address));
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return found;
}

/** True if everything can be fetched and unpacked as on this platform; scripts of packages are not run. */
function installs(os, cpu) {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-platform-'));
  try {
    mkdirSync(join(folder, 'bin/tools'), { recursive: true });
    for (const file of ['package.json', 'package-lock.json', 'bin/tools/package.json'])
      copyFileSync(fileURLToPath(new URL(`../${file}`, import.meta.url)), join(folder, file));
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', `--os=${os}`, `--cpu=${cpu}`];
    const stdio = ['ignore', 'ignore', 'inherit'];
    return (
      spawnSync('npm', ['ci', ...options], { cwd: folder, stdio, shell: process.platform === 'win32' }).status === 0
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const reachable = await status(`${registry}zod`);
if (reachable instanceof Error) {
  console.log(`SKIPPED: ${registry} is not reachable (${reachable.cause?.code ?? reachable.message}).`);
} else {
  const wanted = process.argv.includes('--all') ? entries : bound;
  const found = await statuses(wanted.map(fileOf));
  let missing = 0;
  for (const os of systems)
    for (const cpu of processors) {
      const here = bound.filter(([, one]) => admits(one.os, os) && admits(one.cpu, cpu));
      const without = here.filter((entry) => found.get(fileOf(entry)) !== 200);
      missing += without.length;
      console.log(`${os}-${cpu}: ${here.length} packages of its own, ${without.length} missing`);
      for (const [path, { version }] of without) console.log(`  ${nameOf(path)}@${version}`);
      if (!process.argv.includes('--install')) continue;
      const isInstalled = installs(os, cpu);
      missing += isInstalled ? 0 : 1;
      console.log(`${os}-${cpu}: npm ci ${isInstalled ? 'succeeded' : 'failed'}`);
    }
  for (const entry of wanted === bound ? [] : everywhere)
    if (found.get(fileOf(entry)) !== 200) {
      missing += 1;
      console.log(`everywhere: ${nameOf(entry[0])}@${entry[1].version} is missing`);
    }
  if (missing > 0) process.exitCode = 1;
}
