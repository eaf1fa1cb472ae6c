/** A throw-away PostgreSQL of Debian's on a Unix socket in a temporary folder; needs the package postgresql. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const root = '/usr/lib/postgresql';
const versions = existsSync(root)
  ? readdirSync(root).filter((version) => existsSync(`${root}/${version}/bin/initdb`))
  : [];

/** Whether the package is installed; suites skip visibly where it is not. */
export const hasPostgresql = versions.length > 0;

export interface PostgresqlServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** The server refuses to run as root, so root runs it as the user `postgres` that the package makes. */
const account = (): { uid: number; gid: number } | null => {
  if (process.getuid?.() !== 0) return null;
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
};

export async function startPostgresql(): Promise<PostgresqlServer> {
  const bin = `${root}/${versions.at(-1)}/bin`;
  const folder = mkdtempSync('/tmp/earshot-pg-');
  const user = account();
  if (user !== null) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const options = { ...user, cwd: folder, stdio: 'ignore' as const };
  execFileSync(`${bin}/initdb`, ['-D', data, '-U', 'earshot', '--auth=trust', '--encoding=UTF8', '--no-sync'], options);
  const flags = ['-D', data, '-k', folder, '-c', 'listen_addresses=', '-c', 'fsync=off', '-c', 'max_connections=60'];
  const server: ChildProcess = spawn(`${bin}/postgres`, flags, options);
  for (let tries = 0; !isReady(bin, folder); tries += 1) {
    if (tries > 100 || server.exitCode !== null) throw new Error('PostgreSQL did not start.');
    await sleep(100);
  }
  return {
    url: `postgresql://earshot@localhost/postgres?host=${encodeURIComponent(folder)}`,
    async stop() {
      const ended = new Promise((resolve) => server.once('exit', resolve));
      server.kill('SIGINT');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function isReady(bin: string, folder: string): boolean {
  try {
    execFileSync(`${bin}/pg_isready`, ['-q', '-h', folder, '-U', 'earshot']);
    return true;
  } catch {
    return false;
  }
}
