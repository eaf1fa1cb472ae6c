/** The daemon as a service: the unit by systemd's own judgement, what systemd is told, and the commands around it. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { settingsText, unitText } from '../../daemon/commands/service/unit.js';
import { shellCommands } from '../examples/documents/commands.js';
import { DaemonProcess } from '../support/daemon-process.js';
import { eventually } from '../support/eventually.js';
import { programEnvironment } from '../support/program-environment.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const program = join(root, 'bin/earshotd.js');
const folder = mkdtempSync(join(tmpdir(), 'earshot-service-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;
const usual = {
  user: 'earshot',
  dataDir: '/var/lib/earshot',
  settings: '/etc/earshot/earshot.env',
  node: '/usr/bin/node',
  program: '/usr/lib/node_modules/earshot/bin/earshotd.js',
  credentials: new Map<string, string>(),
};

/** Runs `earshotd service …` where `systemctl` and `useradd` are programs that note how they were called. */
function service(args: readonly string[], systemctl = 'true') {
  const programs = join(folder, 'programs');
  const calls = join(folder, 'calls');
  rmSync(calls, { force: true });
  mkdirSync(programs, { recursive: true });
  for (const [name, does] of [
    ['systemctl', systemctl],
    ['useradd', 'true'],
  ] as const) {
    writeFileSync(join(programs, name), `#!/bin/sh\necho "${name} $*" >> '${calls}'\n${does}\n`);
    chmodSync(join(programs, name), 0o755);
  }
  const env = { ...process.env, PATH: `${programs}:${process.env.PATH}` };
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, 'service', ...args], {
    env,
    encoding: 'utf8',
  });
  return { status, stdout, stderr, calls: existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n') : [] };
}

describe.skipIf(spawnSync('jq', ['--version']).status !== 0)('the journal', () => {
  it('is read by the command of docs/operating.md: between the lines of systemd, and of a start that was refused', () => {
    const [command] = shellCommands('docs/operating.md').filter(({ text }) => text.startsWith('journalctl'));
    const [journal, programs] = [join(folder, 'journal'), join(folder, 'journalctl')];
    const channel = openSync(journal, 'a');
    const { dev, ino } = fstatSync(channel);
    const env = { ...programEnvironment, JOURNAL_STREAM: `${dev}:${ino}` };
    writeSync(channel, 'Starting earshotd.service - Earshot: voice moderation and player progress...\n');
    const args = [program, 'run', '--set', 'EARSHOT_PORT=none', '--set', `EARSHOT_DATA_DIR=${join(folder, 'refused')}`];
    spawnSync(process.execPath, args, { env, stdio: ['ignore', channel, channel] });
    writeSync(channel, 'earshotd.service: Main process exited, code=exited, status=1/FAILURE\n');
    closeSync(channel);
    mkdirSync(programs);
    writeFileSync(join(programs, 'journalctl'), `#!/bin/sh\ncat '${journal}'\n`, { mode: 0o755 });
    const { status, stdout } = spawnSync('sh', ['-c', command?.text ?? ''], {
      env: { ...process.env, PATH: `${programs}:${process.env.PATH}` },
      encoding: 'utf8',
    });
    const lines = stdout.trim().split('\n');
    expect([status, lines.length]).toEqual([0, 1]);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'error', msg: expect.stringContaining('EARSHOT_PORT') });
  });
});

describe('the unit', () => {
  it('is the one of examples, for a package that was installed for all accounts', () => {
    expect(readFileSync(join(root, 'examples/earshotd.service'), 'utf8')).toBe(unitText(usual));
    expect(readFileSync(join(root, 'examples/earshot.env'), 'utf8')).toBe(settingsText);
  });

  it('gives a secret from a file of root, and a data folder anywhere', () => {
    const { stdout } = service([
      ...['install', '--print', '--data-dir', '/srv/ear shot/100%', '--settings', '/srv/earshot.env'],
      ...['--credential', 'EARSHOT_MASTER_KEY=/root/key', '--credential', 'DATABASE_URL=/root/database'],
    ]);
    expect(stdout).toContain(
      'LoadCredential=EARSHOT_MASTER_KEY:/root/key\nEnvironment=EARSHOT_MASTER_KEY_FILE=%d/EARSHOT_MASTER_KEY\n',
    );
    expect(stdout).toContain('LoadCredential=DATABASE_URL:/root/database\n');
    expect(stdout).toContain('Environment="EARSHOT_DATA_DIR=/srv/ear shot/100%%"\n');
    expect(stdout).toContain('ReadWritePaths="/srv/ear shot/100%%"\n');
    expect(stdout).not.toContain('StateDirectory');
  });

  it.skipIf(!hasSystemd)('has no fault that systemd finds, and an exposure of 2.5 at most', () => {
    const file = join(folder, 'earshotd.service');
    writeFileSync(file, unitText({ ...usual, node: process.execPath, program }));
    const verified = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' });
    expect([verified.status, verified.stderr]).toEqual([0, '']);
    const judged = spawnSync('systemd-analyze', ['security', '--offline=true', '--threshold=25', file], {
      encoding: 'utf8',
    });
    expect(judged.stdout).toMatch(/Overall exposure level for earshotd\.service: \d\.\d/);
    expect(judged.status).toBe(0);
  });

  it.each([
    [['--user', 'no name'], 'no name can be no name of an account.'],
    [['--data-dir', 'data'], '--data-dir takes an absolute path'],
    [['--settings', '/etc/../x'], '--settings takes an absolute path'],
    [['--credential', 'EARSHOT_PORT=/x'], 'EARSHOT_PORT is no secret setting.'],
    [['--credential', 'EARSHOT_MASTER_KEY=x'], 'Write --credential EARSHOT_MASTER_KEY=/absolute/path'],
  ])('is refused with %j', (args, reason) => {
    const { status, stderr } = service(['install', '--print', ...args]);
    expect([status, stderr]).toEqual([1, expect.stringContaining(reason)]);
  });
});

describe.skipIf(process.getuid?.() !== 0)('earshotd service, by root', () => {
  const dataDir = join(folder, 'data');
  const settings = join(folder, 'etc/earshot.env');
  const places = ['--unit-folder', folder];
  const installed = ['install', '--user', 'nobody', '--data-dir', dataDir, '--settings', settings, ...places];

  it('makes folder, settings and unit, and starts it', () => {
    const { status, stdout, calls } = service(installed);
    expect(status).toBe(0);
    expect(calls).toEqual([
      'systemctl show --property=Version',
      'systemctl daemon-reload',
      'systemctl enable --now earshotd.service',
    ]);
    expect(readFileSync(join(folder, 'earshotd.service'), 'utf8')).toContain(`ReadWritePaths="${dataDir}"`);
    const nobody = Number(execFileSync('id', ['-u', 'nobody']).toString());
    expect([statSync(dataDir).uid, statSync(dataDir).mode & 0o777]).toEqual([nobody, 0o700]);
    expect(statSync(settings).mode & 0o777).toBe(0o640);
    expect(stdout).toContain('journalctl -u earshotd.service');
  });

  it('leaves settings as they are when it is installed again, and starts nothing if told so', () => {
    writeFileSync(settings, 'EARSHOT_PORT=9090\n');
    expect(service([...installed, '--no-start']).calls.at(-1)).toBe('systemctl enable earshotd.service');
    expect(readFileSync(settings, 'utf8')).toBe('EARSHOT_PORT=9090\n');
  });

  it('makes an account that is missing', () => {
    const { calls, status } = service([...installed, '--user', 'earshot-missing']);
    expect(calls).toContain(
      `useradd --system --user-group --no-create-home --home-dir ${dataDir} --shell /usr/sbin/nologin earshot-missing`,
    );
    expect(status).toBe(1); // this `useradd` has made none
  });

  it('says how the service does, by its exit code too', () => {
    const shows = (state: string) =>
      `printf 'LoadState=loaded\\nActiveState=${state}\\nSubState=running\\nStatusText=listening at http://127.0.0.1:8080\\nMainPID=42\\nActiveEnterTimestamp=today\\nNRestarts=0\\nFragmentPath=/etc/x\\n'`;
    const active = service(['status'], shows('active'));
    expect([active.status, active.stdout]).toEqual([
      0,
      'state     active (running), listening at http://127.0.0.1:8080\nsince     today\nprocess   42, restarted 0 times\nunit      /etc/x\n',
    ]);
    expect(service(['status'], shows('failed')).status).toBe(3);
    expect(service(['status'], 'echo LoadState=not-found').stderr).toContain('Install it with');
  });

  it('changes nothing where systemd does not run, and says what would run', () => {
    rmSync(join(folder, 'earshotd.service'));
    const { status, stderr } = service(installed, 'echo "not booted with systemd" >&2; exit 1');
    expect([status, stderr]).toEqual([1, expect.stringContaining('not booted with systemd')]);
    expect(stderr).toContain('earshotd run');
    expect(existsSync(join(folder, 'earshotd.service'))).toBe(false);
  });

  it('removes the unit, and nothing else', () => {
    service(installed);
    const { calls, stdout } = service(['uninstall', ...places]);
    expect(calls).toEqual(['systemctl disable --now earshotd.service', 'systemctl daemon-reload']);
    expect(stdout).toContain('Account, settings and data stay.');
    expect([existsSync(join(folder, 'earshotd.service')), existsSync(dataDir), existsSync(settings)]).toEqual([
      false,
      true,
      true,
    ]);
    expect(service(['uninstall', ...places]).status).toBe(1);
  });
});

it('says at the start of a second installation that there is one in the usual folder', async () => {
  const place = join(folder, 'second');
  mkdirSync(join(place, 'data'), { recursive: true });
  writeFileSync(join(place, 'data/earshot.db'), '');
  const env = {
    ...programEnvironment,
    ...{ EARSHOT_DATA_DIR: join(place, 'other'), EARSHOT_PORT: '0', EARSHOT_MQTT_PORT: '0', EARSHOT_MEDIA_PORT: '0' },
    ...{ EARSHOT_TRANSCRIBER: 'off', EARSHOT_ADMIN_PASSWORD: 'a long enough password' },
  };
  const child = spawn(process.execPath, [program, 'run'], { cwd: place, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    if (line.includes('"listening"')) child.kill('SIGTERM');
  }
  const warned = lines.filter((line) => line.includes('another folder has one already'));
  expect(warned.map((line) => JSON.parse(line).other)).toEqual([join(place, 'data')]);
});

describe.skipIf(!hasSystemd)('what systemd is told', () => {
  const told: string[] = [];
  let receiver: ChildProcess;
  const socket = join(folder, 'notify');
  afterAll(() => receiver?.kill());

  it('is the start, that the daemon serves, that it lives, and the stop', async () => {
    receiver = spawn('python3', [join(root, 'test/support/notify-socket.py'), socket], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    createInterface({ input: receiver.stdout as NodeJS.ReadableStream }).on('line', (line) => told.push(line));
    await eventually(() => expect(told).toEqual(['bound']));
    const daemon = new DaemonProcess({
      NOTIFY_SOCKET: socket,
      WATCHDOG_USEC: '1500000',
      EARSHOT_TRANSCRIBER: 'off',
      EARSHOT_STOP_DELAY_SECONDS: '1',
    });
    const { http } = await daemon.start();
    await eventually(() => expect(told.filter((line) => line === 'WATCHDOG=1').length).toBeGreaterThan(2), 20_000);
    expect(told[1]).toBe('EXTEND_TIMEOUT_USEC=120000000');
    expect(told.indexOf('READY=1')).toBeGreaterThan(1);
    expect(told).toContain(`STATUS=listening at ${http}`);
    expect(await daemon.end('SIGTERM')).toBe(0);
    await eventually(() => expect(told).toContain('STOPPING=1'));
    expect(told).toContain('EXTEND_TIMEOUT_USEC=16000000');
    await daemon.dispose();
  });
});
