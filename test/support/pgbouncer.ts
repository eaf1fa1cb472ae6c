/** PgBouncer of Debian's package before a PostgreSQL of the suites. */
import { execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { join } from 'node:path';
import { eventually } from './eventually.js';
import { freePort } from './free-port.js';

const program = '/usr/sbin/pgbouncer';

/** True if the package is installed; suites skip visibly where it is not. */
export const hasPgBouncer = existsSync(program);

interface PgBouncer {
  readonly url: string;
  stop(): void;
}

const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));

/** Refuses to run as root, so root runs it as the user `postgres`. */
const account = () => (process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {});

const startsMax = 5;
const connectMs = 5_000;

/**
 * Starts anew on another port where something else has taken the port in between.
 * @param databaseUrl of `startPostgresql`
 */
export async function startPgBouncer(databaseUrl: string, mode: 'transaction' | 'session'): Promise<PgBouncer> {
  for (let starts = 1; ; starts += 1) {
    try {
      return await startOnce(databaseUrl, mode);
    } catch (error) {
      if (starts === startsMax) throw error;
    }
  }
}

async function startOnce(databaseUrl: string, mode: 'transaction' | 'session'): Promise<PgBouncer> {
  const { pathname, searchParams } = new URL(databaseUrl);
  const folder = mkdtempSync('/tmp/earshot-bouncer-');
  const user = account();
  const port = await freePort();
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(
    file,
    [
      '[databases]',
      `* = host=${searchParams.get('host')} user=earshot`,
      '[pgbouncer]',
      ...['listen_addr = 127.0.0.1', `listen_port = ${port}`, 'unix_socket_dir =', 'auth_type = any'],
      ...[`pool_mode = ${mode}`, 'default_pool_size = 20', 'max_client_conn = 100', ''],
    ].join('\n'),
  );
  // The settings file too: a daemon that a suite of the same worker started leaves it a strict umask.
  if (user.uid !== undefined) for (const path of [folder, file]) chownSync(path, user.uid, user.gid);
  const server = spawn(program, ['-q', file], { ...user, cwd: '/', stdio: 'ignore' });
  process.once('exit', () => server.kill('SIGKILL'));
  await eventually(
    () =>
      new Promise<void>((resolve, reject) => {
        const socket = net.connect(port, '127.0.0.1', () => resolve(void socket.end()));
        socket.on('error', reject);
      }),
    connectMs,
  );
  return {
    url: `postgresql://earshot@127.0.0.1:${port}${pathname}`,
    stop: () => {
      server.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
