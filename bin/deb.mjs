/**
 * Makes a Debian package out of the npm package and the modules that are installed here, as the lock file names them:
 *
 *   node bin/deb.mjs earshot-X.tgz FOLDER
 *
 * It is for this kind of machine and this major version of Node.js, which it depends on.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const scripts = fileURLToPath(new URL('debian/', import.meta.url));
const examples = fileURLToPath(new URL('../examples/', import.meta.url));
const root = fileURLToPath(new URL('..', import.meta.url));
const run = (program, args, options = {}) =>
  execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], ...options }).trim();

/** Returns the path of the package. */
function makeDeb(tarball, out) {
  const stage = mkdtempSync(join(tmpdir(), 'earshot-deb-'));
  try {
    const folder = join(stage, 'usr/lib/node_modules/earshot');
    mkdirSync(join(stage, 'usr/bin'), { recursive: true });
    mkdirSync(folder, { recursive: true });
    run('tar', ['-xzf', resolve(tarball), '-C', folder, '--strip-components=1']);
    for (const name of ['earshot', 'earshotd'])
      symlinkSync(`../lib/node_modules/earshot/bin/${name}.js`, join(stage, 'usr/bin', name));
    installModules(folder);
    const { version, description, engines } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    put(stage, 'lib/systemd/system/earshotd.service', readFileSync(join(examples, 'earshotd.service')));
    put(stage, 'etc/earshot/earshot.env', readFileSync(join(examples, 'earshot.env')));
    put(stage, 'usr/share/doc/earshot/copyright', readFileSync(join(folder, 'LICENSE')));
    put(stage, 'DEBIAN/conffiles', '/etc/earshot/earshot.env\n');
    for (const name of ['postinst', 'prerm', 'postrm']) {
      cpSync(join(scripts, name), join(stage, 'DEBIAN', name));
      run('chmod', ['755', join(stage, 'DEBIAN', name)]);
    }
    const machine = run('dpkg', ['--print-architecture']);
    const [major] = process.versions.node.split('.');
    const [oldest] = /\d[\d.]*/.exec(engines.node) ?? [];
    const size = run('du', ['-sk', '--exclude=DEBIAN', stage]).split('\t')[0];
    const control = [
      'Package: earshot',
      `Version: ${version}`,
      `Architecture: ${machine}`,
      'Maintainer: Earshot <earshot@localhost>',
      `Installed-Size: ${size}`,
      `Depends: nodejs (>= ${major === oldest.split('.')[0] ? oldest : major}), nodejs (<< ${Number(major) + 1}), adduser, ca-certificates`,
      'Section: net',
      'Priority: optional',
      `Description: ${description}`,
    ];
    put(stage, 'DEBIAN/control', `${control.join('\n')}\n`);
    run('chmod', ['-R', 'u=rwX,go=rX', stage]);
    const deb = join(resolve(out), `earshot_${version}_${machine}.deb`);
    run('dpkg-deb', ['--root-owner-group', '-Zxz', '-z1', '--build', stage, deb]);
    return deb;
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

/** The modules of this clone without those that only developers need: what was built for this machine is not built again. */
function installModules(folder) {
  const list = ['ls', '--omit=dev', '--all', '--parseable', '--workspaces=false'];
  const [, ...modules] = run('npm', list, { cwd: root }).split('\n');
  for (const path of modules.map((module) => relative(root, module)).sort())
    cpSync(join(root, path), join(folder, path), { recursive: true, verbatimSymlinks: true });
}

function put(stage, path, content) {
  const file = join(stage, path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, content);
}

const [tarball, out] = process.argv.slice(2);
if (out === undefined) {
  console.error('node bin/deb.mjs earshot-X.tgz FOLDER');
  process.exit(2);
}
console.log(makeDeb(tarball, out));
