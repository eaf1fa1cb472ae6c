/**
 * Databases on a throw-away PostgreSQL of Debian's, which listens on a Unix socket in a temporary folder; needs the
 * package postgresql. The suites of a process share one server, which ends with the process however that ends.
 */
import { execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { migrate } from '../../daemon/platform/database/migrate.js';
import { systemClock } from '../../daemon/platform/time/clock.js';

const root = '/usr/lib/postgresql';
const versions = existsSync(root)
  ? readdirSync(root).filter((version) => existsSync(`${root}/${version}/bin/initdb`))
  : [];

/** True if the package is installed; suites skip visibly where it is not. */
export const hasPostgresql = versions.length > 0;

export interface PostgresqlServer {
  readonly url: string;
  stop(): Promise<void>;
}

const bin = `${root}/${versions.at(-1)}/bin`;
/** Ends the server and removes its folder once standard input ends. */
const untilOwnerEnds =
  'folder="$1"; shift; "$@" & server=$!; cat >/dev/null; kill -QUIT $server; wait; rm -rf "$folder"';
const migrated = 'migrated';

/** A database of one's own, with the tables of this version unless it is to be empty. */
export async function startPostgresql({ empty = false } = {}): Promise<PostgresqlServer> {
  shared ??= startServer();
  const { urlOf, next } = await shared;
  const name = next();
  await run(urlOf('postgres'), `CREATE DATABASE ${name}${empty ? '' : ` TEMPLATE ${migrated}`}`);
  return { url: urlOf(name), stop: () => run(urlOf('postgres'), `DROP DATABASE ${name} WITH (FORCE)`) };
}

interface SharedServer {
  urlOf(database: string): string;
  /** Name of a database that is not there yet. */
  next(): string;
}

let shared: Promise<SharedServer> | undefined;

async function startServer(): Promise<SharedServer> {
  const folder = mkdtempSync('/tmp/earshot-pg-');
  const user = account();
  if (user !== null) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  execFileSync(`${bin}/initdb`, ['-D', data, '-U', 'earshot', '--auth=trust', '--encoding=UTF8', '--no-sync'], {
    ...{ ...user, cwd: folder, stdio: 'ignore' },
  });
  const settings = ['listen_addresses=', 'fsync=off', 'full_page_writes=off', 'jit=off', 'max_connections=200'];
  const flags = ['-D', data, '-k', folder, ...settings.flatMap((setting) => ['-c', setting])];
  const server = spawn('sh', ['-c', untilOwnerEnds, 'sh', folder, `${bin}/postgres`, ...flags], {
    ...{ ...user, cwd: '/', stdio: ['pipe', 'ignore', 'ignore'], detached: true },
  });
  server.unref();
  for (let tries = 0; !isReady(folder); tries += 1) {
    if (tries > 100 || server.exitCode !== null) throw new Error('PostgreSQL did not start.');
    await sleep(100);
  }
  const urlOf = (database: string) => `postgresql://earshot@localhost/${database}?host=${encodeURIComponent(folder)}`;
  await run(urlOf('postgres'), `CREATE DATABASE ${migrated}`);
  await migrate(urlOf(migrated), systemClock);
  let databases = 0;
  return { urlOf, next: () => `suite_${++databases}` };
}

/** The server refuses to run as root, so root runs it as the user `postgres` that the package makes. */
function account(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

function isReady(folder: string): boolean {
  try {
    execFileSync(`${bin}/pg_isready`, ['-q', '-h', folder, '-U', 'earshot']);
    return true;
  } catch {
    return false;
  }
}

async function run(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement);
  await client.end();
}
