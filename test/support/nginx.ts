/** Debian's nginx before a daemon, as its package configures a proxy: nothing is said about buffering. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './eventually.js';
import { freePort } from './free-port.js';

const program = '/usr/sbin/nginx';
export const hasNginx = existsSync(program);

const configuration = (folder: string, port: number, upstream: string): string => `
daemon off;
master_process off;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events {}
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
  server {
    listen 127.0.0.1:${port};
    location / { proxy_pass ${upstream}; }
  }
}`;

export interface ReverseProxy {
  readonly url: string;
  stop(): Promise<void>;
}

export async function startNginx(upstream: string): Promise<ReverseProxy> {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-nginx-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  writeFileSync(join(folder, 'nginx.conf'), configuration(folder, port, upstream));
  const child: ChildProcess = spawn(program, ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await eventually(() => fetch(`${url}/health/live`));
  return {
    url,
    async stop() {
      child.kill('SIGTERM');
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
