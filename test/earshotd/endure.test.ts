/**
 * What happens to a machine in years, and that each ends in words: the daemon goes on, or does not start. Elsewhere: a clock that is
 * set in `test/clock`, signals in `test/hostile/signals.test.ts`, full and damaged disks and deleted files in `unusual-files.test.ts`,
 * a daemon that still runs in `one-daemon.test.ts`, one that stands still in `test/endtoend/frozen-daemon.test.ts`.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { hasOpenssl, writeCertificate } from '../support/certificates.js';
import { DaemonProcess } from '../support/daemon-process.js';
import { inSqlite } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { earshotd } from '../support/program.js';

const folder = mkdtempSync(join(tmpdir(), 'earshot-endure-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const ports = { EARSHOT_PORT: '0', EARSHOT_MQTT_PORT: '0', EARSHOT_MEDIA_PORT: '0', EARSHOT_TRANSCRIBER: 'off' };
/** The voice rooms of a daemon may take a moment. */
const becomesReady = ({ url }: DaemonProcess) =>
  eventually(async () => expect((await fetch(`${url}/health/ready`)).status).toBe(200));
const newFolder = () => mkdtempSync(join(folder, 'data-'));
const can = (...[program = '', ...args]: string[]): boolean => spawnSync(program, args).status === 0;

interface Start {
  readonly env?: Readonly<Record<string, string>>;
  readonly through?: readonly string[];
}
/** Expects that a start ends with one sentence, and returns it. */
async function refusal(dataDir: string, { env = {}, through = [] }: Start = {}): Promise<string> {
  const { code, stderr } = await earshotd(dataDir, ['run'], { env: { ...ports, ...env }, through });
  expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.not.stringMatching(/\n {4}at /) });
  return stderr.trim();
}

describe('a start', { timeout: 60_000 }, () => {
  it('is refused on a network file system, before anything is written there', async () => {
    const dataDir = newFolder();
    const preload = fileURLToPath(new URL('../support/on-nfs.cjs', import.meta.url));
    const env = { ...inSqlite, NODE_OPTIONS: `--require ${preload}` };
    expect(await refusal(dataDir, { env })).toBe(
      `${dataDir} is on NFS, where the locks of SQLite do not hold. Set EARSHOT_DATA_DIR to a folder on a disk of this machine, or DATABASE_URL to PostgreSQL.`,
    );
    expect(existsSync(join(dataDir, 'earshot.db'))).toBe(false);
  });

  it('is refused where it may open too few files', async () => {
    const through = ['sh', '-c', 'ulimit -n 100; exec "$@"', 'sh'];
    expect(await refusal(newFolder(), { env: inSqlite, through })).toBe(
      'The daemon may open 100 files and needs 256. Raise the limit: `ulimit -n 1024`, or LimitNOFILE= of its unit.',
    );
  });

  it.each([
    ['nowhere.invalid', 'The host of DATABASE_URL is not known here|The name server does not answer'],
    ['127.0.0.1:1', 'The server of DATABASE_URL takes no connections'],
  ])('is refused while the database at %s is away', async (host, says) => {
    const env = { DATABASE_URL: `postgresql://earshot:secret@${host}/earshot` };
    expect(await refusal(newFolder(), { env })).toMatch(new RegExp(`^(${says})`));
  });

  it('is refused while another program has the port', async () => {
    const holder: Server = createServer();
    await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
    const address = holder.address();
    const port = String(typeof address === 'object' ? address?.port : '');
    const env = { ...inSqlite, EARSHOT_PORT: port };
    expect(await refusal(newFolder(), { env })).toBe(
      `Port ${port} on 127.0.0.1 is taken. Set EARSHOT_PORT to another one.`,
    );
    holder.close();
  });

  it('is refused while another program has the port for voice', async () => {
    const holder = createSocket('udp4');
    await new Promise<void>((resolve) => holder.bind(0, '0.0.0.0', resolve));
    const { port } = holder.address();
    const env = { ...inSqlite, EARSHOT_MEDIA_PORT: String(port) };
    expect(await refusal(newFolder(), { env })).toMatch(
      new RegExp(`^The voice rooms cannot run on UDP port ${port}: .* Set EARSHOT_MEDIA_PORT`),
    );
    holder.close();
  });

  const withoutIpv6 = [
    ...['unshare', '--net', 'sh', '-c'],
    'ip link set lo up && sysctl -qw net.ipv6.conf.all.disable_ipv6=1 net.ipv6.conf.lo.disable_ipv6=1 && exec "$@"',
    'sh',
  ];
  it.skipIf(!can(...withoutIpv6, 'true'))('without IPv6 is refused for such an address alone', async () => {
    const at = (host: string) => ({ env: { ...inSqlite, EARSHOT_HOST: host }, through: withoutIpv6 });
    expect(await refusal(newFolder(), at('::1'))).toMatch(
      /^This machine does not have that address\. Set EARSHOT_HOST to one/,
    );
    const dataDir = newFolder();
    const args = [
      'exec',
      '--',
      process.execPath,
      '-e',
      'fetch(process.env.EARSHOT_URL).then(() => console.log("answers"))',
    ];
    const { code, stdout } = await earshotd(dataDir, args, { through: withoutIpv6 });
    expect([code, stdout]).toEqual([0, expect.stringContaining('answers')]);
  });
});

const mount = join(folder, 'mount');
const remount = (inodes: number) => execFileSync('mount', ['-o', `remount,nr_inodes=${inodes}`, mount]);
const used = (path: string): number =>
  Number(execFileSync('df', ['--output=iused', path], { encoding: 'utf8' }).trim().split('\n').at(-1));
mkdirSync(mount);
const canMount = can('mount', '-t', 'tmpfs', '-o', 'size=1g,nr_inodes=100', 'tmpfs', mount);

describe.skipIf(!canMount)('a disk without inodes', { timeout: 90_000 }, () => {
  const dataDir = join(mount, 'data');
  const daemon = new DaemonProcess({ ...inSqlite, EARSHOT_DATA_DIR: dataDir });
  beforeAll(async () => {
    mkdirSync(dataDir);
    await daemon.start();
  }, 60_000);
  afterAll(async () => {
    await daemon.dispose();
    spawnSync('umount', [mount]);
  });

  it('stops no daemon that runs, whose doctor says what is missing', async () => {
    remount(used(mount));
    const login = () =>
      fetch(daemon.url + accountRoutes.loginCredentials.path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ email: 'nobody@example.com', password: 'a wrong password' }),
      });
    expect((await login()).status).toBe(401); // the attempt is stored
    await becomesReady(daemon);
    expect((await earshotd(dataDir, ['doctor'])).stdout).toMatch(
      /problem .*is on a disk without free inodes \(`df -i`\)/,
    );
  });

  it('lets no daemon start, which says so', async () => {
    await daemon.end('SIGTERM');
    remount(used(mount));
    expect(await refusal(dataDir, { env: inSqlite })).toMatch(/inodes/);
    remount(100);
    await daemon.start();
    await becomesReady(daemon);
  });
});

describe('a daemon in use', { timeout: 90_000 }, () => {
  const daemon = new DaemonProcess(inSqlite);
  beforeAll(async () => void (await daemon.start()), 60_000);
  afterAll(() => daemon.dispose());
  const ready = async () => (await fetch(`${daemon.url}/health/ready`)).status;

  it('is not ready while its database is somewhere else, and stops in good order', async () => {
    const [file, moved] = [join(daemon.dataDir, 'earshot.db'), join(daemon.dataDir, 'moved.db')];
    renameSync(file, moved);
    await eventually(async () => expect(await ready()).toBe(503));
    await eventually(() =>
      expect(daemon.printed.join('\n')).toMatch(/a file of the database was deleted while the daemon uses it/),
    );
    renameSync(moved, file);
    expect(await daemon.end('SIGTERM')).toBe(0);
    await daemon.start();
    await becomesReady(daemon);
  });

  it('leaves nothing behind that keeps the next one out, however it ends', async () => {
    for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
      await daemon.end(signal);
      await daemon.start(); // on the same folder and the same port
      await becomesReady(daemon);
    }
  });
});

describe.skipIf(!hasOpenssl)('a certificate that has ended', { timeout: 60_000 }, () => {
  const day = 86_400_000;
  const certificate = (toMs: number) =>
    writeCertificate(folder, 'voice.example', {
      from: new Date(Date.now() - 9 * day),
      to: new Date(Date.now() + toMs),
    });
  const { cert, key } = hasOpenssl ? certificate(-day) : { cert: '', key: '' };
  const daemon = new DaemonProcess({ ...inSqlite, EARSHOT_TLS_CERT: cert, EARSHOT_TLS_KEY: key });
  afterAll(() => daemon.dispose());

  it('is named in the log, and the next one is taken without a restart', async () => {
    await daemon.start();
    const lines = (text: string) => daemon.printed.filter((line) => line.includes(text)).length;
    await eventually(() => expect(lines('the certificate has ended, so clients refuse it: renew it')).toBe(1));
    await expect(fetch(`${daemon.url}/health/live`)).rejects.toThrow();
    certificate(day);
    await eventually(() => expect(lines('certificate reloaded')).toBeGreaterThan(0), 20_000);
    const child = ['-e', `fetch('${daemon.url}/health/live').then(({ status }) => console.log(status))`];
    const env = { ...process.env, NODE_EXTRA_CA_CERTS: cert };
    await eventually(() => expect(execFileSync(process.execPath, child, { env, encoding: 'utf8' }).trim()).toBe('200'));
  });
});
