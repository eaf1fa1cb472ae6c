/**
 * The Debian package and the service, as an administrator lives with them: on a fresh Debian whose first process is systemd, they are
 * installed, started, watched, upgraded, removed and purged.
 */
import { execFileSync } from 'node:child_process';
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
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { type BootedMachine, boot, freshDebian, hasDebootstrap } from '../support/fresh-debian.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const patienceMs = 600_000;
const data = '/var/lib/earshot';

describe.skipIf(!hasDebootstrap)('on a Debian that runs systemd', { timeout: patienceMs }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-deb-'));
  const place = join(folder, 'machine');
  const unit = 'earshotd.service';
  let machine: BootedMachine;
  let port = 0;
  let deb = '';

  const install = (file: string) => {
    copyFileSync(file, join(place, 'root', basename(file)));
    return machine.inside('dpkg', '--install', `/root/${basename(file)}`);
  };
  const done = (...command: string[]): string => {
    const { status, printed } = machine.inside(...command);
    expect([command, status, printed]).toEqual([command, 0, expect.anything()]);
    return printed.trim();
  };
  const signal = (name: string, pid: string) => done('sh', '-c', `kill -${name} ${pid}`);
  /** What the unit has of a property. */
  const shown = (property: string) => done('systemctl', 'show', `--property=${property}`, '--value', unit);
  const isReady = async () => (await fetch(`http://127.0.0.1:${port}/health/ready`)).status === 200;
  /** Lines of `[Service]` beside the unit's own, as `systemctl edit` adds them. */
  const edit = (name: string, lines: readonly string[]) => {
    mkdirSync(join(place, `etc/systemd/system/${unit}.d`), { recursive: true });
    writeFileSync(join(place, `etc/systemd/system/${unit}.d/${name}.conf`), `[Service]\n${lines.join('\n')}\n`);
    machine.inside('systemctl', 'daemon-reload');
  };

  beforeAll(async () => {
    port = await freePort();
    freshDebian(place);
    machine = await boot(place);
    const packed = execFileSync('npm', ['pack', '--json', '--loglevel=error', '--pack-destination', folder], {
      cwd: root,
    });
    const [{ filename }] = JSON.parse(packed.toString('utf8'));
    deb = execFileSync(process.execPath, [join(root, 'bin/deb.mjs'), join(folder, filename), folder], {
      encoding: 'utf8',
    }).trim();
    expect(install(nodejsDeb(folder)).status).toBe(0);
    const ports = [`EARSHOT_PORT=${port}`, 'EARSHOT_MQTT_PORT=0', 'EARSHOT_MEDIA_PORT=0'];
    edit(
      'ports',
      [...ports, 'EARSHOT_SPEECH_INSTALL=0'].map((setting) => `Environment=${setting}`),
    );
  }, patienceMs);
  afterAll(async () => {
    await machine?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('the package is installed, and the service runs when that is done', async () => {
    const installed = install(deb);
    expect(installed).toMatchObject({ status: 0 });
    expect(await isReady()).toBe(true); // Type=notify: `systemctl` came back when it was
    expect(installed.printed).toContain('Settings: /etc/earshot/earshot.env');
    expect(installed.printed).toMatch(/^ok +database/m);
    expect(done('stat', '-c', '%U %a', data)).toBe('earshot 700');
    expect(done('stat', '-c', '%G %a', '/etc/earshot/earshot.env')).toBe('earshot 640');
    expect(done('earshotd', '--version')).toMatch(/^0\.2\.0\+/);
    expect(done('earshotd', 'service', 'status')).toMatch(/^state +active \(running\), listening at http/);
  });

  it('has the limits of the unit, and an exposure of 2.5 at most', () => {
    expect(shown('LimitNOFILE')).toBe('65536');
    expect(shown('LimitNICE')).toBe('27'); // counted from 20 to -7
    expect(done('stat', '-c', '%U', `/proc/${shown('MainPID')}`)).toBe('earshot');
    expect(done('systemd-analyze', 'security', '--threshold=25', unit)).toMatch(/Overall exposure level.*: \d\.\d OK/);
  });

  it('reads its settings again when it is reloaded', async () => {
    const before = shown('MainPID');
    done('systemctl', 'reload', unit);
    expect([shown('MainPID'), await isReady()]).toEqual([before, true]);
  });

  it('is started again when it is silent', async () => {
    edit('watchdog', ['WatchdogSec=3']);
    done('systemctl', 'restart', unit);
    const before = shown('MainPID');
    signal('STOP', before);
    await eventually(() => expect(shown('NRestarts')).toBe('1'), 60_000);
    await eventually(async () => expect(await isReady()).toBe(true), 60_000);
    expect(shown('MainPID')).not.toBe(before);
    edit('watchdog', []);
  });

  it('gets more time for its start where it asks for it', async () => {
    const limitMs = 10_000;
    edit('start', [`TimeoutStartSec=${limitMs / 1_000}`]);
    done('systemctl', 'stop', unit);
    const began = Date.now();
    done('systemctl', 'start', '--no-block', unit);
    // Its children say so, and it goes on meanwhile: whatever a start may wait for.
    const main = await eventually(() => {
      const pid = shown('MainPID');
      expect(done('sh', '-c', `ls -l /proc/${pid}/fd`)).toContain('earshot.db.lock');
      return pid;
    });
    signal('STOP', main);
    while (Date.now() < began + limitMs + 2_000) {
      expect(shown('ActiveState')).toBe('activating');
      await sleep(500);
    }
    signal('CONT', main);
    await eventually(() => expect(shown('ActiveState')).toBe('active'));
    expect([shown('MainPID'), await isReady()]).toEqual([main, true]);
    edit('start', []);
  });

  it('is upgraded with its data and settings', async () => {
    const password = readFileSync(join(place, data, 'admin-password'), 'utf8');
    const [settings, before] = [join(place, 'etc/earshot/earshot.env'), shown('MainPID')];
    appendFileSync(settings, 'EARSHOT_LOG_LEVEL=warn\n');
    const upgraded = install(laterDeb(deb, folder));
    expect(upgraded).toMatchObject({ status: 0 });
    expect(upgraded.printed).not.toContain('first password');
    expect([await isReady(), shown('MainPID')]).toEqual([true, expect.not.stringMatching(`^${before}$`)]);
    expect(readFileSync(settings, 'utf8')).toContain('EARSHOT_LOG_LEVEL=warn');
    expect(readFileSync(join(place, data, 'admin-password'), 'utf8')).toBe(password);
  });

  it('`service install` replaces its unit: another data folder, and a key from a file of root', async () => {
    const key = join(place, 'root/key');
    writeFileSync(key, '5e'.repeat(32), { mode: 0o600 });
    done('systemctl', 'stop', unit);
    const places = ['--data-dir', '/srv/ear shot', '--credential', 'EARSHOT_MASTER_KEY=/root/key'];
    done('earshotd', 'service', 'install', ...places);
    expect(await isReady()).toBe(true);
    expect(done('ls', '/srv/ear shot')).toContain('earshot.db');
    expect(done('sh', '-c', 'cat "/srv/ear shot"/* 2>/dev/null | grep -c 5e5e5e5e || true')).toBe('0');
    expect(machine.inside('runuser', '-u', 'earshot', '--', 'cat', '/root/key').status).not.toBe(0);
    done('earshotd', 'service', 'uninstall');
    expect(machine.inside('systemctl', 'is-active', unit).status).not.toBe(0);
    done('systemctl', 'start', unit); // that of the package again
  });

  it('is removed and purged, and its data stays', async () => {
    done('dpkg', '--remove', 'earshot');
    await expect(isReady()).rejects.toThrow();
    expect(existsSync(join(place, 'usr/lib/node_modules/earshot'))).toBe(false);
    expect(existsSync(join(place, 'usr/bin/earshotd'))).toBe(false);
    expect(existsSync(join(place, 'etc/earshot/earshot.env'))).toBe(true);
    expect(done('dpkg', '--purge', 'earshot')).toContain('The data stays in /var/lib/earshot');
    expect(existsSync(join(place, 'etc/earshot'))).toBe(false);
    expect(existsSync(join(place, data, 'earshot.db'))).toBe(true);
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
