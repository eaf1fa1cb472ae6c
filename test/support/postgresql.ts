/**
 * Databases on a throw-away PostgreSQL of Debian's, which listens on a Unix socket in a temporary folder; needs the
 * package postgresql. The suites of a process share one server, which ends with the process however that ends. It begins
 * with a copy of what test/.cache keeps between runs: a cluster whose database has the tables of this version.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
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

/** Folder of its programs. */
export const postgresqlPrograms = `${root}/${versions.at(-1)}/bin`;
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
  const kept = await keptCluster();
  const { urlOf } = await serve((data) => execFileSync('cp', ['-a', kept, data]));
  await migrate(urlOf(migrated), systemClock); // what changed since it was kept, which is nothing
  let databases = 0;
  return { urlOf, next: () => `suite_${++databases}` };
}

const cacheDir = fileURLToPath(new URL('../.cache/', import.meta.url));
const migrations = fileURLToPath(new URL('../../prisma/postgresql/migrations/', import.meta.url));

/** A cluster as it is after a clean stop; made where it is missing. Of processes that make it together the first is kept. */
async function keptCluster(): Promise<string> {
  const hash = createHash('sha256');
  for (const name of readdirSync(migrations).sort())
    hash.update(name).update(readFileSync(join(migrations, name, 'migration.sql')));
  const kept = join(cacheDir, `postgresql-${versions.at(-1)}-${hash.digest('hex').slice(0, 16)}`);
  if (existsSync(kept)) return kept;
  const user = postgresqlAccount();
  const { urlOf, data, server } = await serve((data) => {
    const how = ['-U', 'earshot', '--auth=trust', '--encoding=UTF8', '--no-sync'];
    execFileSync(`${postgresqlPrograms}/initdb`, ['-D', data, ...how], { ...user, cwd: '/', stdio: 'ignore' });
  });
  await run(urlOf('postgres'), `CREATE DATABASE ${migrated}`);
  await migrate(urlOf(migrated), systemClock);
  execFileSync(`${postgresqlPrograms}/pg_ctl`, ['stop', '-D', data, '-m', 'fast', '-w'], {
    ...user,
    cwd: '/',
    stdio: 'ignore',
  });
  mkdirSync(cacheDir, { recursive: true });
  const work = mkdtempSync(join(cacheDir, '.postgresql-'));
  execFileSync('cp', ['-a', data, join(work, 'data')]);
  server.stdin?.end();
  try {
    renameSync(join(work, 'data'), kept);
  } catch (error) {
    if (!existsSync(kept)) throw error;
  }
  const former = readdirSync(cacheDir).filter(
    (name) => name.startsWith('postgresql-') && join(cacheDir, name) !== kept,
  );
  for (const folder of [work, ...former.map((name) => join(cacheDir, name))])
    rmSync(folder, { recursive: true, force: true });
  return kept;
}

interface Served {
  readonly data: string;
  readonly server: ChildProcess;
  urlOf(database: string): string;
}

const socketFolderMax = 64;
/**
 * In memory where `npm test` has the suites write there: making and dropping a database is some hundred files, which take
 * ten times as long on a disk. The server's user must be able to come in, and the path of a socket has a limit.
 */
function parentFolder(): string {
  const folder = tmpdir();
  const isOpen = (statSync(folder).mode & 0o001) !== 0;
  return isOpen && folder.length <= socketFolderMax ? folder : '/tmp';
}

/** @param fill makes the cluster in the folder that it is given */
async function serve(fill: (data: string) => void): Promise<Served> {
  const folder = mkdtempSync(join(parentFolder(), 'earshot-pg-'));
  const user = postgresqlAccount();
  if (user !== null) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  fill(data);
  const settings = ['listen_addresses=', 'fsync=off', 'full_page_writes=off', 'jit=off', 'max_connections=200'];
  const inMemory = ['min_wal_size=32MB', 'max_wal_size=128MB'];
  const flags = ['-D', data, '-k', folder, ...[...settings, ...inMemory].flatMap((setting) => ['-c', setting])];
  const server = spawn('sh', ['-c', untilOwnerEnds, 'sh', folder, `${postgresqlPrograms}/postgres`, ...flags], {
    ...{ ...user, cwd: '/', stdio: ['pipe', 'ignore', 'ignore'], detached: true },
  });
  server.unref();
  for (let tries = 0; !isReady(folder); tries += 1) {
    if (tries > 200 || server.exitCode !== null) throw new Error('PostgreSQL did not start.');
    await sleep(50);
  }
  const urlOf = (database: string) => `postgresql://earshot@localhost/${database}?host=${encodeURIComponent(folder)}`;
  return { data, server, urlOf };
}

/** The server refuses to run as root, so root runs it as the user `postgres` that the package makes. */
export function postgresqlAccount(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

function isReady(folder: string): boolean {
  try {
    execFileSync(`${postgresqlPrograms}/pg_isready`, ['-q', '-h', folder, '-U', 'earshot']);
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
