/** `earshotd doctor` uses each part instead of looking whether its file is there. */
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { askDaemon } from '../../daemon/admin-socket/client.js';
import { ControlServer } from '../../daemon/admin-socket/server.js';
import { handlerOf } from '../../daemon/platform/admin-operation.js';
import { routes } from '../../src/contract/routes.js';
import { hasOpenssl, writeCertificate } from '../support/certificates.js';
import { startDaemon } from '../support/daemon.js';
import { DaemonProcess } from '../support/daemon-process.js';
import { inSqlite } from '../support/database.js';
import { logLines } from '../support/log-lines.js';
import { earshotd } from '../support/program.js';
import { programEnvironment } from '../support/program-environment.js';
import { signIn } from '../support/room-client.js';
import { startSmtpReceiver } from '../support/smtp-receiver.js';
import { writeBeside } from '../support/write-beside.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const hasCompiler = spawnSync('gcc', ['--version']).status === 0;
const ports = { EARSHOT_PORT: '0', EARSHOT_MQTT_PORT: '0', EARSHOT_MEDIA_PORT: '0', EARSHOT_TRANSCRIBER: 'off' };
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'earshot-parts-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const lineOf = (stdout: string, check: string) =>
  stdout.split('\n').find((line) => line.slice(9, 22).trim() === check) ?? stdout;

describe.skipIf(!hasOpenssl)('a certificate', () => {
  const day = 86_400_000;
  it.each([
    ['that ended', -800, -500, /^problem .*cert\.pem ended on \d{4}-\d\d-\d\d, so clients refuse it\. Renew it\.$/],
    ['that begins later', 30, 60, /^problem .*cert\.pem begins on \d{4}-\d\d-\d\d, so clients refuse it until then\.$/],
    ['that ends soon', -80, 3, /^warning .*cert\.pem ends on \d{4}-\d\d-\d\d\. Renew it\.$/],
    ['in force', -1, 300, /^ok .*cert\.pem can be used until \d{4}-\d\d-\d\d$/],
  ])('%s', async (_, from, to, expected) => {
    const at = (days: number) => new Date(Date.now() + days * day);
    const { cert, key } = writeCertificate(folder, 'studio', { from: at(from), to: at(to) });
    const env = { ...ports, EARSHOT_TLS_CERT: cert, EARSHOT_TLS_KEY: key };
    const { stdout } = await earshotd(join(folder, 'data'), ['doctor'], { env });
    expect(lineOf(stdout, 'TLS')).toMatch(expected);
  });

  it.each([
    ['127.0.0.1', /^ok /],
    ['voice.studio.example', /^problem .*cert\.pem is not for voice\.studio\.example, the host of EARSHOT_PUBLIC_URL/],
  ])('at %s', async (host, expected) => {
    const dates = { from: new Date(Date.now() - day), to: new Date(Date.now() + 300 * day) };
    const { cert, key } = writeCertificate(folder, 'studio', dates);
    const url = `https://${host}`;
    const env = { ...ports, EARSHOT_TLS_CERT: cert, EARSHOT_TLS_KEY: key, EARSHOT_PUBLIC_URL: url };
    const line = async (more = {}) =>
      lineOf((await earshotd(join(folder, 'data'), ['doctor'], { env: { ...env, ...more } })).stdout, 'TLS');
    expect(await line()).toMatch(expected);
    expect(await line({ EARSHOT_TRUSTED_PROXIES: '10.0.0.1' })).toMatch(/^ok /); // people see that of the proxy
  });
});

describe('the mail server', () => {
  const mailLine = async (url: string) =>
    lineOf(
      (await earshotd(join(folder, 'data'), ['doctor'], { env: { ...ports, EARSHOT_SMTP_URL: url } })).stdout,
      'mail',
    );

  it('is signed in to, and gets no email', async () => {
    const receiver = await startSmtpReceiver();
    expect(await mailLine(receiver.url)).toBe('ok       mail         can be sent');
    expect(await mailLine(receiver.url.replace('postman', 'burglar'))).toMatch(
      /^warning .*The mail server cannot be used: .*Check EARSHOT_SMTP_URL\.$/,
    );
    expect(receiver.letters).toEqual([]);
    await receiver.stop();
    expect(await mailLine(receiver.url)).toMatch(/^warning .*ECONNREFUSED/);
  });
});

it.each([
  ['media ports', { EARSHOT_MEDIA_HOST: '192.0.2.7' }, /^problem .*192\.0\.2\.7 is no address of this machine/],
  ['metrics port', { EARSHOT_METRICS_PORT: '0' }, /^ok .*any free one$/],
])('the %s of another address, or that nobody named before', async (check, more, expected) => {
  const { stdout } = await earshotd(join(folder, 'data'), ['doctor'], { env: { ...ports, ...more } });
  expect(lineOf(stdout, check)).toMatch(expected);
});

it('a key ring of another installation does not open the database', async () => {
  const [one, other] = [await startDaemon({ settings: inSqlite }), await startDaemon({ settings: inSqlite })];
  const keyLine = async () => lineOf((await earshotd(one.dataDir, ['doctor'], { env: ports })).stdout, 'master key');
  try {
    expect(await keyLine()).toMatch(/^ok .*opens the secrets of the database/);
    copyFileSync(join(other.dataDir, 'key-ring.json'), join(one.dataDir, 'key-ring.json'));
    expect(await keyLine()).toMatch(/^problem .*Secrets in the database are wrapped by master key [0-9a-f]+, which is/);
  } finally {
    await Promise.all([one.stop(), other.stop()]);
  }
});

it('figures that cannot be counted are a problem', async () => {
  const daemon = await startDaemon({ settings: inSqlite });
  const figures = async () => lineOf((await earshotd(daemon.dataDir, ['doctor'], { env: ports })).stdout, 'figures');
  try {
    expect(await figures()).toMatch(/^ok /);
    await writeBeside(daemon.databaseUrl, 'ALTER TABLE "ModerationDay" RENAME TO "Elsewhere"');
    const body = { type: 'warn', externalUserId: 'ann' } as const;
    await daemon.client.call(routes.sanctions.create, { params: { projectId: daemon.projectId }, body });
    expect(await figures()).toMatch(/^problem .*The figures of \S+ could not be counted: .*ModerationDay/);
  } finally {
    await daemon.stop();
  }
});

/** A module of the interface that Node.js 16 had: it is there, and does not load. */
const otherAbi = `
struct node_module { int version; unsigned flags; void *handle; const char *file; void *begin, *in_context;
                     const char *name; void *given; void *next; };
extern void node_module_register(void *);
static struct node_module module = { 93, 0, 0, __FILE__, 0, 0, "better_sqlite3", 0, 0 };
__attribute__((constructor)) static void load(void) { node_module_register(&module); }
`;

describe.skipIf(!hasCompiler || process.platform !== 'linux')('native modules', () => {
  it('that were built for another Node.js are named, with what to do', () => {
    const installed = join(folder, 'installed');
    for (const part of ['bin', 'dist/earshotd', 'dist/start', 'package.json', 'prisma'])
      cpSync(join(root, part), join(installed, part), { recursive: true });
    const [modules, own] = [join(root, 'node_modules'), join(installed, 'node_modules')];
    mkdirSync(join(own, 'better-sqlite3'), { recursive: true });
    for (const name of readdirSync(modules))
      if (name !== 'better-sqlite3') symlinkSync(join(modules, name), join(own, name));
    for (const part of ['package.json', 'lib'])
      cpSync(join(modules, 'better-sqlite3', part), join(own, 'better-sqlite3', part), { recursive: true });
    const release = join(own, 'better-sqlite3/build/Release');
    mkdirSync(release, { recursive: true });
    writeFileSync(join(folder, 'other.c'), otherAbi);
    const output = join(release, 'better_sqlite3.node');
    execFileSync('gcc', ['-shared', '-fPIC', '-o', output, join(folder, 'other.c')]);

    const env = { ...programEnvironment, ...ports, EARSHOT_DATA_DIR: join(folder, 'other') };
    const program = join(installed, 'bin/earshotd.js');
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, 'doctor'], { env, encoding: 'utf8' });
    expect(`${stdout}${stderr}`).toMatch(/better-sqlite3 cannot be used by Node\.js v\d+[\d.]*: .*npm rebuild/s);
    expect(status).toBe(1);
  });
});

it('an event that cannot be read is named, and the log has the cause', async () => {
  const daemon = new DaemonProcess(inSqlite);
  await daemon.start();
  try {
    const { client, projectId } = await signIn(daemon.url);
    const params = { projectId };
    const stored = await client.call(routes.sanctions.create, {
      params,
      body: { type: 'warn', externalUserId: 'ann' },
    });
    await writeBeside(
      daemon.databaseUrl,
      `UPDATE "DomainEvent" SET payload = '{' WHERE "resourceId" = ?`,
      `sanction:${stored.id}`,
    );
    await daemon.end('SIGKILL');
    await daemon.start();
    const restarted = (await signIn(daemon.url)).client;
    const events = restarted.events({ projectId, since: 'earliest', types: 'sanction.*' });
    await restarted.call(routes.sanctions.create, { params, body: { type: 'warn', externalUserId: 'bob' } });
    for await (const { type } of events) if (type === 'sanction.created') break;
    const line = lineOf((await earshotd(daemon.dataDir, ['doctor'], { env: ports })).stdout, 'events');
    const [, id = 'none'] = /since the start, and is skipped: (\S+)\. The log has the cause/.exec(line) ?? [];
    const logged = daemon.printed.filter((text) => text.includes('an event of the log cannot be read; it is skipped'));
    expect(logged.map((text) => JSON.parse(text))).toMatchObject([{ level: 'error', eventId: id, err: {} }]);
  } finally {
    await daemon.dispose();
  }
});

it('what fails for the operator says so in the log, with the cause', async () => {
  const { lines, log } = logLines();
  const operation = { name: 'fails', input: z.object({}), output: z.object({}) };
  const dataDir = join(folder, 'control');
  mkdirSync(dataDir);
  const fails = handlerOf(operation, () => Promise.reject(new Error('no')));
  const server = new ControlServer(dataDir, [fails], log);
  await server.start();
  await expect(askDaemon(dataDir, operation, {})).rejects.toThrow('its log says why');
  expect(lines).toEqual(['error failed for the operator']);
  await server.stop();
});
