// Three servers of the same event streams: the daemon, which stores each event first; a bare Node program that writes the
// same bytes; and nginx with nchan, where Debian's packages are installed.
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Audience } from './audience.mjs';
import { startDaemon } from './daemon.mjs';
import { freePort } from './free-ports.mjs';
import { forgetPeak, peakMb, residentMb } from './memory.mjs';
import { usedUs } from './processor-time.mjs';

const streamsPerKey = 1_000;
const nginx = '/usr/sbin/nginx';
const nchanModule = '/usr/lib/nginx/modules/ngx_nchan_module.so';

const childrenOf = (pid) => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
/**
 * A server with its audience. `grow(size)` opens streams, `hush()` ends all of them. `publish(count)` announces so many events
 * at once, `change()` one.
 */
class Side {
  audience = new Audience();

  constructor(what, { url, headersOf, publish, change, pids, stop }) {
    Object.assign(this, { what, url, headersOf, publish, change, pids });
    this.end = stop;
  }

  grow = (size) => this.audience.grow(size, this.url, this.headersOf);
  memoryMb = () => residentMb(this.pids());
  usedUs = () => this.pids().reduce((sum, pid) => sum + usedUs(pid), 0);
  peakMb = () => peakMb(this.pids());

  /** The peak counts anew from here. */
  forgetPeak() {
    forgetPeak(this.pids());
  }

  hush() {
    this.audience.close();
    this.audience = new Audience();
  }

  async stop() {
    this.audience.close();
    await this.end();
  }
}

export async function daemonSide(streams) {
  const daemon = await startDaemon({ EARSHOT_RATE_LIMIT_CREDENTIAL: '0' });
  const keys = [];
  for (let left = streams; left > 0; left -= streamsPerKey) keys.push(await daemon.key(['events:read']));
  return new Side('daemon', {
    url: `${daemon.baseUrl}/api/projects/${daemon.projectId}/events/stream?types=sanction.created,participant.updated`,
    headersOf: (index) => ({ 'X-API-Key': keys[Math.floor(index / streamsPerKey)] }),
    publish: (count) => daemon.publish(count),
    change: () => daemon.change(),
    pids: () => [daemon.pid],
    stop: () => daemon.stop(),
  });
}

/** One event as a side writes it. */
export async function frameOf({ audience, grow, publish }) {
  await grow(1);
  let frame;
  const heard = audience.hears(1, (_, chunk) => {
    frame = chunk;
  });
  await Promise.all([heard, publish(1)]);
  return frame;
}

export async function bareSide(frame) {
  const server = fork(fileURLToPath(new URL('bare-streams.mjs', import.meta.url)));
  const [{ url }] = await once(server, 'message');
  const publish = async (count) => {
    await (await fetch(url, { method: 'POST', body: frame, headers: { 'x-count': String(count) } })).arrayBuffer();
  };
  return new Side('bare Node', {
    url,
    publish,
    change: () => publish(1),
    pids: () => [server.pid],
    async stop() {
      server.disconnect();
      await once(server, 'exit');
    },
  });
}

const nginxSettings = (port, folder) => `
load_module ${nchanModule};
daemon off; worker_processes auto; pid ${folder}/pid; error_log ${folder}/error.log;
events { worker_connections 16384; }
http {
  access_log off; client_body_temp_path ${folder}/a; proxy_temp_path ${folder}/b; fastcgi_temp_path ${folder}/c;
  uwsgi_temp_path ${folder}/d; scgi_temp_path ${folder}/e; keepalive_requests 1000000; nchan_shared_memory_size 128M;
  server {
    listen 127.0.0.1:${port} backlog=4096;
    location = /publish { nchan_publisher; nchan_channel_id bench; nchan_message_buffer_length 1000; }
    location = /stream { nchan_subscriber eventsource; nchan_channel_id bench; nchan_subscriber_first_message newest; }
  }
}`;

/** Posts a message. nchan takes one a request, so many go at once on kept connections. */
function poster(url) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 8 });
  return async (body) => {
    const request = http.request(url, { method: 'POST', agent, headers: { 'content-type': 'application/json' } });
    request.end(body);
    const [response] = await once(request, 'response');
    response.resume();
    await once(response, 'end');
    if (response.statusCode > 202) throw new Error(`nchan refused a message with ${response.statusCode}.`);
  };
}

/** null, with the reason printed, where it is not installed. */
export async function nchanSide(frame) {
  if (!existsSync(nginx) || !existsSync(nchanModule)) {
    console.log('Without nchan: `apt-get install nginx-light libnginx-mod-nchan` makes it part of this bench.');
    return null;
  }
  const folder = mkdtempSync(join(tmpdir(), 'earshot-nchan-'));
  const port = await freePort();
  writeFileSync(join(folder, 'nginx.conf'), nginxSettings(port, folder));
  const server = spawn(nginx, ['-p', folder, '-c', join(folder, 'nginx.conf')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const end = () => server.kill('SIGKILL');
  process.once('exit', end);
  const post = poster(`http://127.0.0.1:${port}/publish`);
  const data = frame.toString().match(/^data: (.*)$/m)[1];
  for (let tries = 0; ; tries += 1) {
    if (
      await post(data).then(
        () => true,
        () => tries > 50,
      )
    )
      break;
    await sleep(50);
  }
  return new Side('nchan', {
    url: `http://127.0.0.1:${port}/stream`,
    publish: (count) => Promise.all(Array.from({ length: count }, () => post(data))),
    change: () => post(data),
    pids: () => [server.pid, ...childrenOf(server.pid)],
    async stop() {
      const exited = once(server, 'exit');
      server.kill('SIGTERM');
      await exited;
      process.off('exit', end);
      rmSync(folder, { recursive: true, force: true });
    },
  });
}
