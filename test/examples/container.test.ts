/**
 * The Containerfile and the compose files of `examples/container`: built and run by podman. No registry of images is asked: a Debian
 * with the Node.js of this machine stands in for the image that they begin with, the Caddy of this machine for that of Caddy.
 */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { freshDebian, hasDebootstrap } from '../support/fresh-debian.js';
import { hasPodman, Podman } from '../support/podman.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const patienceMs = 600_000;
const image = 'earshot:0.2.0';
const base = 'docker.io/library/node:22-bookworm-slim';
const caddy = '/usr/bin/caddy';

describe.skipIf(!hasDebootstrap || !hasPodman)('examples/container', { timeout: patienceMs }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-container-'));
  const context = join(folder, 'context');
  let podman: Podman;
  let port = 0;
  let url = '';

  beforeAll(async () => {
    port = await freePort();
    url = `http://127.0.0.1:${port}`;
    podman = new Podman(join(folder, 'podman'));
    cpSync(join(root, 'examples/container'), context, { recursive: true });
    execFileSync('npm', ['pack', '--loglevel=error', '--pack-destination', context], { cwd: root });
    importNode(podman, folder);
    podman.run([
      'build',
      '--format',
      'docker',
      '--isolation',
      'chroot',
      '--network',
      'host',
      '--pull=never',
      '--tag',
      image,
      context,
    ]);
  }, patienceMs);
  afterAll(() => {
    podman?.dispose();
    rmSync(folder, { recursive: true, force: true });
  }, patienceMs);

  const run = (name: string) =>
    podman.run([
      ...['run', '--detach', '--name', name, '--network', 'host', '--volume', 'data:/var/lib/earshot'],
      ...['--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'],
      ...['--env', `EARSHOT_PORT=${port}`, '--env', 'EARSHOT_MQTT_PORT=0', '--env', 'EARSHOT_MEDIA_PORT=0'],
      ...['--env', 'EARSHOT_HOST=127.0.0.1', image],
    ]);
  const inside = (name: string, ...command: string[]) => podman.run(['exec', name, ...command]);

  /** An image under the name of another one: files of this machine, and what a container of it runs. */
  function standIn(name: string, files: readonly string[], command: string): void {
    const place = mkdtempSync(join(folder, 'image-'));
    for (const file of files) {
      const path = join(realpathSync(dirname(file)), basename(file)); // /lib is a link
      cpSync(file, join(place, 'files', path), { recursive: true, dereference: true });
    }
    writeFileSync(join(place, 'run'), `#!/bin/sh\n${command}\n`, { mode: 0o755 });
    const steps = [`FROM ${base}`, 'COPY files/ /', 'COPY run /run-it', 'CMD ["/run-it"]'];
    writeFileSync(join(place, 'Containerfile'), steps.join('\n'));
    podman.run(['build', '--isolation', 'chroot', '--pull=never', '--tag', name, place]);
    rmSync(place, { recursive: true });
  }

  it('runs without root on a read-only root, is healthy, and stops when it is told', async () => {
    run('first');
    await eventually(() => podman.run(['healthcheck', 'run', 'first']), 60_000);
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
    expect(inside('first', 'id', '--user', '--name')).toBe('earshot');
    expect(() => inside('first', 'touch', '/opt/earshot/x')).toThrow('Read-only file system');
    const checks = inside('first', 'earshotd', 'doctor').split('\n');
    expect(checks.filter((line) => line.startsWith('problem'))).toEqual([]);
    expect(checks.find((line) => line.includes('data folder'))).toContain('/var/lib/earshot');
    // A recogniser that is fetched stays with the data.
    expect(inside('first', 'sh', '-c', 'mkdir -p "$EARSHOT_SPEECH_DIR" && echo "$EARSHOT_SPEECH_DIR"')).toMatch(
      /^\/var\/lib\/earshot\//,
    );
    podman.run(['stop', '--time', '20', 'first']);
    expect(podman.run(['inspect', 'first', '--format', '{{.State.ExitCode}}'])).toBe('0');
  });

  it('keeps what it has in the volume', async () => {
    const password = () => inside('second', 'cat', 'admin-password');
    run('second');
    await eventually(() => podman.run(['healthcheck', 'run', 'second']), 60_000);
    const before = password();
    podman.run(['rm', '--force', 'second']);
    run('second');
    await eventually(() => podman.run(['healthcheck', 'run', 'second']), 60_000);
    expect(password()).toBe(before);
    podman.run(['rm', '--force', 'second']);
  });

  it('is told unhealthy while it cannot serve', () => {
    podman.run(['run', '--detach', '--name', 'third', '--entrypoint', 'sleep', image, '60']);
    expect(() => podman.run(['healthcheck', 'run', 'third'])).toThrow();
    podman.run(['rm', '--force', '--time', '0', 'third']);
  });

  /** Brings services up from these files, on free ports of this machine. */
  async function up(files: readonly string[], variables: Readonly<Record<string, string>>) {
    const place = mkdtempSync(join(folder, 'composed-'));
    cpSync(context, place, { recursive: true });
    const tls = await freePort();
    for (const file of files) {
      const path = join(place, file);
      const ports = { '127.0.0.1:8080:': `127.0.0.1:${port}:`, '127.0.0.1:1883:': `127.0.0.1:${await freePort()}:` };
      const voice = await freePort();
      const text = Object.entries({
        ...ports,
        '40500-40503:40500-40503': `${voice}-${voice + 3}:40500-40503`,
        '"80:80"': `"127.0.0.1:${await freePort()}:80"`,
        '"443:443"': `"127.0.0.1:${tls}:443"`,
      }).reduce((all, [one, other]) => all.replace(one, other), readFileSync(path, 'utf8'));
      writeFileSync(path, text);
    }
    const all = files.flatMap((file) => ['-f', file]);
    podman.compose(place, [...all, 'up', '--detach', '--no-build'], variables);
    return { tls, down: () => podman.compose(place, [...all, 'down', '--volumes'], variables) };
  }

  it('compose.yaml serves HTTP, and stays when it is stopped and started', async () => {
    const { down } = await up(['compose.yaml'], {});
    await eventually(async () => expect((await fetch(`${url}/health/ready`)).status).toBe(200), 60_000);
    down();
  });

  it.skipIf(!existsSync(caddy))('compose.caddy.yaml serves https, and the daemon knows who asks', async () => {
    standIn(
      'docker.io/library/caddy:2',
      [caddy, ...librariesOf(caddy)],
      'exec caddy run --config /etc/caddy/Caddyfile --adapter caddyfile',
    );
    const { tls, down } = await up(['compose.yaml', 'compose.caddy.yaml'], { EARSHOT_NAME: 'localhost' });
    const status = () =>
      new Promise((resolve, reject) => {
        const options = { rejectUnauthorized: false, servername: 'localhost' };
        https
          .get(`https://localhost:${tls}/health/ready`, options, ({ statusCode }) => resolve(statusCode))
          .on('error', reject);
      });
    await eventually(async () => expect(await status()).toBe(200), 60_000);
    down();
  });
});

/** Shared libraries of a program. */
const librariesOf = (program: string): string[] =>
  [...execFileSync('ldd', [program], { encoding: 'utf8' }).matchAll(/=> (\/\S+)/g)].map(([, path]) => path as string);

/** A Debian with Node.js and npm of this machine, under the name of the image with both. */
function importNode(podman: Podman, folder: string): void {
  const place = join(folder, 'base');
  const modules = join(place, 'usr/local/lib/node_modules');
  freshDebian(place);
  mkdirSync(modules, { recursive: true });
  copyFileSync(process.execPath, join(place, 'usr/local/bin/node'));
  const npm = realpathSync(execFileSync('which', ['npm'], { encoding: 'utf8' }).trim());
  cpSync(dirname(dirname(npm)), join(modules, 'npm'), { recursive: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(place, 'usr/local/bin/npm'));
  const certificates = 'etc/ssl/certs/ca-certificates.crt';
  copyFileSync(`/${certificates}`, join(place, certificates));
  packPrebuilt(join(place, 'prebuilt'));
  const variables = [`NODE_EXTRA_CA_CERTS=/${certificates}`, 'npm_config_better_sqlite3_local_prebuilds=/prebuilt'];
  const archive = execFileSync('tar', ['-C', place, '-c', '.'], { maxBuffer: 2 ** 30 });
  podman.run(['import', ...variables.flatMap((one) => ['--change', `ENV ${one}`]), '-', base], archive);
  rmSync(place, { recursive: true });
}

/** What better-sqlite3 fetches where the place of its builds can be reached, so that nothing is compiled. */
function packPrebuilt(place: string): void {
  const from = join(root, 'node_modules/better-sqlite3');
  const { version } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'));
  mkdirSync(place);
  const name = `better-sqlite3-v${version}-node-v${process.versions.modules}-linux-${process.arch}.tar.gz`;
  execFileSync('tar', ['-C', from, '-czf', join(place, name), 'build/Release/better_sqlite3.node']);
}
