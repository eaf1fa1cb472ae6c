/** The Debian package, as an administrator lives with it: installed, used, upgraded, removed and purged on a fresh Debian. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const patienceMs = 600_000;
const can = process.getuid?.() === 0 && spawnSync('debootstrap', ['--version']).status === 0;
const data = '/var/lib/earshot';

describe.skipIf(!can)('the Debian package', { timeout: patienceMs }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-deb-'));
  const machine = join(folder, 'machine');
  let port = 0;

  /** Runs a command as root of the fresh Debian. */
  const inside = (...command: string[]) => {
    const { status, stdout, stderr } = spawnSync('chroot', [machine, ...command], {
      encoding: 'utf8',
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', DEBIAN_FRONTEND: 'noninteractive' },
    });
    return { status, printed: stdout + stderr };
  };
  const install = (deb: string) => {
    copyFileSync(deb, join(machine, 'root', basename(deb)));
    return inside('dpkg', '--install', `/root/${basename(deb)}`);
  };

  beforeAll(async () => {
    port = await freePort();
    const suite = /VERSION_CODENAME=(\S+)/.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? 'stable';
    const libraries = '--include=adduser,ca-certificates,libstdc++6';
    execFileSync('debootstrap', ['--variant=minbase', libraries, suite, machine], { stdio: 'ignore' });
    execFileSync('mount', ['-t', 'proc', 'proc', join(machine, 'proc')]);
    install(nodejsDeb(folder));
  }, patienceMs);
  afterAll(() => {
    spawnSync('umount', [join(machine, 'proc')]);
    if (!existsSync(join(machine, 'proc/version'))) rmSync(folder, { recursive: true, force: true });
  });

  /** Starts the daemon as the unit does, under its account; returns what ends it. */
  async function start(): Promise<() => Promise<void>> {
    const settings = [
      `EARSHOT_DATA_DIR=${data}`,
      `EARSHOT_PORT=${port}`,
      'EARSHOT_MQTT_PORT=0',
      'EARSHOT_HOST=127.0.0.1',
    ];
    const account = ['setpriv', '--reuid=earshot', '--regid=earshot', '--init-groups'];
    const command = [...account, 'env', ...settings, 'EARSHOT_SPEECH_INSTALL=0', 'earshotd', 'run'];
    const daemon = spawn('chroot', [machine, ...command], { stdio: 'ignore' });
    const ended = once(daemon, 'exit');
    await eventually(async () => {
      expect((await fetch(`http://127.0.0.1:${port}/health/ready`)).status).toBe(200);
    }, 120_000);
    return async () => {
      daemon.kill('SIGTERM');
      await ended;
    };
  }

  it('is installed, works, is upgraded with its data and settings, removed and purged', async () => {
    const packed = execFileSync('npm', ['pack', '--json', '--loglevel=error', '--pack-destination', folder], {
      cwd: root,
    });
    const [{ filename }] = JSON.parse(packed.toString('utf8'));
    const make = [join(root, 'bin/deb.mjs'), join(folder, filename), folder];
    const first = execFileSync(process.execPath, make, { encoding: 'utf8' }).trim();
    const installed = install(first);
    expect(installed).toMatchObject({ status: 0 });
    expect(installed.printed).toContain('Settings: /etc/earshot/earshot.env');
    expect(installed.printed).toMatch(/^ok +database/m);
    expect(inside('stat', '-c', '%U %a', data).printed.trim()).toBe('earshot 700');
    expect(inside('stat', '-c', '%G %a', '/etc/earshot/earshot.env').printed.trim()).toBe('earshot 640');
    expect(inside('earshotd', '--version').printed).toMatch(/^0\.2\.0\+/);

    let stop = await start();
    const password = readFileSync(join(machine, data, 'admin-password'), 'utf8');
    await stop();
    appendFileSync(join(machine, 'etc/earshot/earshot.env'), 'EARSHOT_LOG_LEVEL=warn\n');

    const upgraded = install(laterDeb(first, folder));
    expect(upgraded).toMatchObject({ status: 0 });
    expect(upgraded.printed).not.toContain('first password');
    expect(readFileSync(join(machine, 'etc/earshot/earshot.env'), 'utf8')).toContain('EARSHOT_LOG_LEVEL=warn');
    stop = await start();
    expect(readFileSync(join(machine, data, 'admin-password'), 'utf8')).toBe(password);
    await stop();

    expect(inside('dpkg', '--remove', 'earshot')).toMatchObject({ status: 0 });
    expect(existsSync(join(machine, 'usr/lib/node_modules/earshot'))).toBe(false);
    expect(existsSync(join(machine, 'usr/bin/earshotd'))).toBe(false);
    expect(existsSync(join(machine, 'etc/earshot/earshot.env'))).toBe(true);
    const purged = inside('dpkg', '--purge', 'earshot');
    expect(purged).toMatchObject({ status: 0, printed: expect.stringContaining('The data stays in /var/lib/earshot') });
    expect(existsSync(join(machine, 'etc/earshot'))).toBe(false);
    expect(existsSync(join(machine, data, 'earshot.db'))).toBe(true);
  });
});

/** Node.js of this machine under the name of the package that an administrator gets elsewhere. */
function nodejsDeb(folder: string): string {
  const stage = join(folder, 'nodejs');
  mkdirSync(join(stage, 'DEBIAN'), { recursive: true });
  mkdirSync(join(stage, 'usr/bin'), { recursive: true });
  copyFileSync(process.execPath, join(stage, 'usr/bin/node'));
  const machine = execFileSync('dpkg', ['--print-architecture'], { encoding: 'utf8' }).trim();
  writeFileSync(
    join(stage, 'DEBIAN/control'),
    `Package: nodejs\nVersion: ${process.versions.node}\nArchitecture: ${machine}\nMaintainer: none <none@localhost>\nDescription: Node.js\n`,
  );
  return build(stage, join(folder, 'nodejs.deb'));
}

/** The same package as a later version. */
function laterDeb(deb: string, folder: string): string {
  const stage = join(folder, 'later');
  execFileSync('dpkg-deb', ['--raw-extract', deb, stage]);
  const control = join(stage, 'DEBIAN/control');
  writeFileSync(control, readFileSync(control, 'utf8').replace(/^Version: .*$/m, 'Version: 99.0'));
  return build(stage, join(folder, 'later.deb'));
}

function build(stage: string, deb: string): string {
  execFileSync('chmod', ['-R', 'u=rwX,go=rX', stage]); // whatever the umask is
  execFileSync('dpkg-deb', ['--root-owner-group', '-Znone', '--build', stage, deb]);
  return deb;
}
