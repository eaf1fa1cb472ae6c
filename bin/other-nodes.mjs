/**
 * `npm run check:node`: `npm test` in a fresh clone of the last commit, under every newer version of Node.js that Earshot supports;
 * `npm run check:node -- 22` under that one. The versions come from the npm registry, with the headers by which modules are compiled.
 * Takes some ten minutes for each.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const [first, ...others] = process.argv.slice(2);
const isVersion = /^\d+$/.test(first ?? '');
const versions = isVersion ? [first] : ['22', '24'];
const suites = isVersion || first === undefined ? others : [first, ...others];

const folder = mkdtempSync(join(tmpdir(), 'earshot-nodes-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

function run(program, args, options) {
  const { status, error } = spawnSync(program, args, { stdio: 'inherit', ...options });
  if (error !== undefined) throw error;
  return status;
}

/** Installs a version of Node.js, and returns the folder of its program. */
function fetchNode(version) {
  const place = join(folder, `node-${version}`);
  const name = `node-${process.platform.replace('win32', 'win')}-${process.arch}`;
  const quietly = ['--no-save', '--no-audit', '--no-fund', '--loglevel=error'];
  if (run('npm', ['install', '--prefix', place, ...quietly, `${name}@${version}`]) !== 0)
    throw new Error(`The registry has no ${name}@${version}.`);
  return join(place, 'node_modules', name, 'bin');
}

let failed = 0;
for (const version of versions) {
  const clone = join(folder, version);
  const programs = fetchNode(version);
  if (run('git', ['clone', '--quiet', root, clone]) !== 0) process.exit(1);
  // npm's own `node-gyp` and its children take the first `node` of the path.
  const { npm_execpath: _, npm_node_execpath: __, ...rest } = process.env;
  const env = { ...rest, PATH: `${programs}${delimiter}${process.env.PATH}` };
  run('node', ['--version'], { env });
  if (run('npm', ['test', '--', ...suites], { cwd: clone, env }) !== 0) failed += 1;
  rmSync(clone, { recursive: true, force: true, maxRetries: 5 });
}
process.exit(failed);
