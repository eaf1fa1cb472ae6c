// `npm run release`: makes what a release consists of from the committed state, in the folder `release`, and stops before anything
// is published. The package is built twice, each time in a fresh clone, and both must be the same to the byte.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { billOfMaterials } from './bill-of-materials.mjs';
import { bundleLists } from './shipped-packages.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const out = join(root, 'release');

const refuse = (reason) => {
  console.error(reason);
  process.exit(1);
};
/** Runs a program to its end and returns what it printed; ends this one with the reason where it fails. */
function run(program, args, cwd) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, encoding: 'utf8', maxBuffer: 2 ** 28 });
  if (status !== 0) refuse(`${program} ${args.join(' ')}: ${error?.message ?? stderr.slice(-2_000)}`);
  return stdout.trim();
}
const began = performance.now();
const say = (text) => console.log(`${String(Math.round((performance.now() - began) / 1_000)).padStart(4)} s  ${text}`);
const sha256 = (file) => createHash('sha256').update(readFileSync(file)).digest('hex');

const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
if (run('git', ['status', '--porcelain'], root) !== '')
  refuse(
    'There are changes that are not committed: a release is made of a commit. Commit them, or run this in a clean clone.',
  );
const [, newest] = /^## (\S+)/m.exec(readFileSync(join(root, 'CHANGELOG.md'), 'utf8')) ?? [];
if (newest !== version)
  refuse(`CHANGELOG.md begins with ${newest}, and package.json says ${version}: write down what is new.`);
const commit = run('git', ['rev-parse', '--short=12', 'HEAD'], root);

const work = mkdtempSync(join(tmpdir(), 'earshot-release-'));
process.on('exit', () => rmSync(work, { recursive: true, force: true }));

/** Returns the folder of a fresh clone with the package that was built in it. */
function build(which) {
  const clone = join(work, which);
  run('git', ['clone', '--quiet', root, clone]);
  say(`${which}: packages`);
  run('npm', ['ci', '--no-audit', '--no-fund'], clone);
  say(`${which}: build`);
  run('npm', ['run', 'build'], clone);
  run('npm', ['pack', '--loglevel=error'], clone);
  return clone;
}

/** The three kits, which say version and commit: where npm and Unity look for it in package.json, Godot in plugin.cfg. */
function packKits(clone, place) {
  mkdirSync(place);
  const kit = (name) => join(clone, 'kits', name);
  const stamp = (folder) => {
    const file = join(folder, 'package.json');
    writeFileSync(file, `${JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), gitHead: commit }, null, 2)}\n`);
    run('npm', ['pack', '--loglevel=error', '--pack-destination', place, folder], clone);
  };
  run(process.execPath, [join(clone, 'bin/typescript-kit.mjs')], clone);
  for (const folder of [join(clone, 'dist/earshot-client'), kit('csharp')]) stamp(folder);
  const plugin = join(kit('godot'), 'addons/earshot/plugin.cfg');
  writeFileSync(plugin, readFileSync(plugin, 'utf8').replace(`version="${version}"`, `version="${version}+${commit}"`));
  const archive = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--mtime=@0', '--format=ustar'];
  run('tar', [...archive, '-C', kit('godot'), '-czf', join(place, `earshot-godot-${version}.tar.gz`), '.'], clone);
}

say(`${name} ${version}, commit ${commit}`);
const tarball = `${name}-${version}.tgz`;
const clones = ['first', 'second'].map(build);
const [first, second] = clones.map((clone) => sha256(join(clone, tarball)));
if (first !== second)
  refuse(`The two builds differ (${first}, ${second}): something in the build depends on time or place.`);
say(`both builds have the SHA-256 ${first}`);

const [clone] = clones;
rmSync(out, { recursive: true, force: true });
mkdirSync(join(out, 'licences'), { recursive: true });
cpSync(join(clone, tarball), join(out, tarball));
say(
  `Debian package: ${basename(run(process.execPath, [join(clone, 'bin/deb.mjs'), join(clone, tarball), out], clone))}`,
);
const bill = billOfMaterials(clone, `${version}+${commit}`);
writeFileSync(join(out, `${name}-${version}.cdx.json`), `${JSON.stringify(bill, null, 2)}\n`);
say(`bill of materials: ${bill.components.length} packages`);
cpSync(join(clone, 'LICENSE'), join(out, 'licences/earshot.txt'));
for (const file of bundleLists(clone)) cpSync(file, join(out, 'licences', `${basename(dirname(file))}.txt`));
packKits(clone, join(out, 'kits'));
// With the package beside it, a folder to build the image in: `podman build .`, or `docker compose up`.
cpSync(join(clone, 'examples/container'), join(out, 'container'), { recursive: true });
cpSync(join(clone, tarball), join(out, 'container', tarball));
say('kits, container');
const files = readdirSync(out, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(out.length + 1))
  .sort();
writeFileSync(join(out, 'SHA256SUMS'), files.map((file) => `${sha256(join(out, file))}  ${file}\n`).join(''));
say(`release/: ${[...files, 'SHA256SUMS'].join(', ')}`);
console.log(`\nNothing was published. To publish: git tag v${version} ${commit}, and hand out the folder \`release\`.`);
