/** The proxies of `examples/` before a daemon: their files as they stand, but for names, ports and certificates. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeCertificate } from './certificates.js';
import { eventually } from './eventually.js';
import { freePort } from './free-port.js';
import { exampleSite, hasNginx, startNginxWith } from './nginx.js';

interface Site {
  readonly http: number;
  readonly tls: number;
  readonly certificate: { readonly cert: string; readonly key: string };
  /** Address of the daemon. */
  readonly upstream: string;
  readonly folder: string;
  /** Changes to the example: what it says, and what it says instead. */
  readonly changes: readonly (readonly [string, string])[];
}

interface ExampleProxy {
  readonly name: string;
  /** Debian's package that has the program. */
  readonly package: string;
  readonly isThere: boolean;
  /** Returns what ends it. */
  run(site: Site): Promise<() => Promise<void>>;
}

function exampleWith(file: string, changes: Site['changes']): string {
  const example = readFileSync(new URL(`../../examples/${file}`, import.meta.url), 'utf8');
  return changes.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`examples/${file} has no "${from}".`);
    return text.replaceAll(from, to);
  }, example);
}

async function startProgram(program: string, args: readonly string[], env: NodeJS.ProcessEnv, plainUrl: string) {
  const child: ChildProcess = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'], env });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  try {
    await eventually(() => fetch(`${plainUrl}/health/live`, { redirect: 'manual' }));
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}

const nginx: ExampleProxy = {
  ...{ name: 'nginx.conf', package: 'nginx-light', isThere: hasNginx },
  run: ({ changes, ...site }) => startNginxWith(exampleSite(site, changes), `http://127.0.0.1:${site.http}`),
};

const caddy: ExampleProxy = {
  ...{ name: 'Caddyfile', package: 'caddy', isThere: existsSync('/usr/bin/caddy') },
  run: ({ http, tls, certificate: { cert, key }, upstream, folder, changes }) => {
    const options = `{\n admin off\n http_port ${http}\n https_port ${tls}\n skip_install_trust\n log {\n level ERROR\n }\n}\n`;
    const text = exampleWith('Caddyfile', [
      ...changes,
      ['voice.example {', `localhost {\n tls ${cert} ${key}`],
      ['127.0.0.1:8080', new URL(upstream).host],
    ]);
    writeFileSync(join(folder, 'Caddyfile'), options + text);
    const env = { ...process.env, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
    const args = ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'];
    return startProgram('/usr/bin/caddy', args, env, `http://localhost:${http}`);
  },
};

const haproxy: ExampleProxy = {
  ...{ name: 'haproxy.cfg', package: 'haproxy', isThere: existsSync('/usr/sbin/haproxy') },
  run: ({ http, tls, certificate: { cert, key }, upstream, folder, changes }) => {
    const pem = join(folder, 'haproxy.pem');
    writeFileSync(pem, readFileSync(cert, 'utf8') + readFileSync(key, 'utf8'));
    const text = exampleWith('haproxy.cfg', [
      ...changes,
      ['bind :80', `bind 127.0.0.1:${http}`],
      ['bind [::]:80 v6only', `bind [::1]:${http}`],
      ['bind :443', `bind 127.0.0.1:${tls}`],
      ['bind [::]:443 v6only', `bind [::1]:${tls}`],
      ['/etc/haproxy/certs/voice.example.pem', pem],
      ['127.0.0.1:8080', new URL(upstream).host],
    ]);
    writeFileSync(join(folder, 'haproxy.cfg'), text);
    const args = ['-db', '-f', join(folder, 'haproxy.cfg')];
    return startProgram('/usr/sbin/haproxy', args, process.env, `http://localhost:${http}`);
  },
};

export const exampleProxies: readonly ExampleProxy[] = [nginx, caddy, haproxy];

/** Ports, certificate and folder for a proxy; the daemon is told its address before it starts. */
export async function proxyPlace() {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-proxy-'));
  const certificate = writeCertificate(folder, 'voice.example');
  const [http, tls] = [await freePort(), await freePort()];
  return {
    ...{ folder, certificate, http, tls, plainUrl: `http://localhost:${http}`, url: `https://localhost:${tls}` },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
