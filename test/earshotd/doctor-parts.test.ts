/** `earshotd doctor` uses each part instead of looking whether its file is there. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasOpenssl, writeCertificate } from '../support/certificates.js';
import { earshotd } from '../support/program.js';
import { programEnvironment } from '../support/program-environment.js';

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
