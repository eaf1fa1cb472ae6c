// A throw-away PostgreSQL of Debian's package, on a Unix socket in a temporary folder; it writes to the disk as in service.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const root = '/usr/lib/postgresql';
const triesMax = 100;

/** The server refuses to run as root, so root runs it as the user `postgres`. */
function account() {
  if (process.getuid?.() !== 0) return {};
  const id = (flag) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

/** null: the package is not installed. */
export async function openPostgresql() {
  const version = existsSync(root)
    ? readdirSync(root).find((one) => existsSync(`${root}/${one}/bin/initdb`))
    : undefined;
  if (version === undefined) return null;
  const bin = `${root}/${version}/bin`;
  const folder = mkdtempSync('/tmp/earshot-bench-pg-');
  const user = account();
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const initdb = ['-D', data, '-U', 'earshot', '--auth=trust', '--encoding=UTF8'];
  execFileSync(`${bin}/initdb`, initdb, { ...user, cwd: folder, stdio: 'ignore' });
  const server = spawn(`${bin}/postgres`, ['-D', data, '-k', folder, '-c', 'listen_addresses='], {
    ...{ ...user, cwd: '/', stdio: 'ignore' },
  });
  process.once('exit', () => server.kill('SIGQUIT'));
  const isReady = () => {
    try {
      execFileSync(`${bin}/pg_isready`, ['-q', '-h', folder, '-U', 'earshot']);
      return true;
    } catch {
      return false;
    }
  };
  for (let tries = 0; !isReady(); tries += 1) {
    if (tries > triesMax) throw new Error('PostgreSQL did not start.');
    await sleep(100);
  }
  return {
    pid: server.pid,
    url: `postgresql://earshot@localhost/postgres?host=${encodeURIComponent(folder)}`,
    async stop() {
      server.kill('SIGQUIT');
      await once(server, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
