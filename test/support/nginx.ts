/** Debian's nginx before a daemon. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './eventually.js';
import { freePort } from './free-port.js';

const program = '/usr/sbin/nginx';
export const hasNginx = existsSync(program);

const configuration = (folder: string, site: string): string => `
daemon off;
master_process off;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events {}
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
  ${site}
}`;

export interface ReverseProxy {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts nginx as its package configures a proxy, with buffering on. */
export async function startNginx(upstream: string): Promise<ReverseProxy> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const stop = await startNginxWith(`server { listen 127.0.0.1:${port}; location / { proxy_pass ${upstream}; } }`, url);
  return { url, stop };
}

interface ExampleSite {
  readonly http: number;
  readonly tls: number;
  readonly certificate: { readonly cert: string; readonly key: string };
  readonly upstream: string;
}

/** Returns `examples/nginx.conf` with the ports, the certificate and the daemon of a test. */
export const exampleSite = (
  { http, tls, certificate, upstream }: ExampleSite,
  changes: readonly (readonly [from: string, to: string])[] = [],
): string =>
  changed([
    ...changes,
    ['listen 80;', `listen 127.0.0.1:${http};`],
    ['listen [::]:80;', `listen [::1]:${http};`],
    ['\n  listen 443 ssl', `\n  listen 127.0.0.1:${tls} ssl`],
    ['listen [::]:443 ssl', `listen [::1]:${tls} ssl`],
    ['/etc/letsencrypt/live/voice.example/fullchain.pem', certificate.cert],
    ['/etc/letsencrypt/live/voice.example/privkey.pem', certificate.key],
    [exampleServer, exampleServer.replace('127.0.0.1:8080', new URL(upstream).host)],
  ]);

interface ExampleRooms {
  readonly port: number;
  readonly daemons: readonly string[];
}

/** Returns `examples/nginx.conf` before several daemons, on one port without TLS. */
export const exampleRooms = ({ port, daemons }: ExampleRooms): string =>
  changed([
    ['  return 308 https://$host$request_uri;\n}\n\nserver {\n', ''],
    [exampleServer, daemons.map((url) => exampleServer.replace('127.0.0.1:8080', new URL(url).host)).join('\n  ')],
  ])
    .replaceAll(/^ +(listen .*\[::\]|listen 443|ssl_).*\n/gm, '')
    .replace('listen 80;', `listen 127.0.0.1:${port};`);

const exampleServer = 'server 127.0.0.1:8080 max_fails=0;';

const changed = (changes: readonly (readonly [from: string, to: string])[]): string =>
  changes.reduce(
    (text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`examples/nginx.conf has no "${from}".`);
      return text.replace(from, to);
    },
    readFileSync(new URL('../../examples/nginx.conf', import.meta.url), 'utf8'),
  );

/**
 * Runs nginx with these lines in its `http` block until the returned function is called.
 * @param plainUrl an http address that it serves
 */
export async function startNginxWith(site: string, plainUrl: string): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-nginx-'));
  writeFileSync(join(folder, 'nginx.conf'), configuration(folder, site));
  const child: ChildProcess = spawn(program, ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await eventually(() => fetch(`${plainUrl}/health/live`, { redirect: 'manual' }));
  return async () => {
    child.kill('SIGTERM');
    await exited;
    rmSync(folder, { recursive: true, force: true });
  };
}
