/** `earshotd copy`: moves an installation from a SQLite file to PostgreSQL, or back. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { DomainError } from '../../src/contract/errors.js';
import { ProgressLine } from '../../src/terminal/progress.js';
import { print, printError } from '../../src/terminal/terminal.js';
import { UsageError } from '../../src/terminal/usage-error.js';
import { shownAddress } from '../../src/text/printable.js';
import { loadSettings } from '../platform/config/load.js';
import type { Settings } from '../platform/config/schema.js';
import { prepareDataFolder } from '../platform/data-folder.js';
import { databaseAddresses, isPostgresql } from '../platform/database/addresses.js';
import { type CopyProgress, copyRows, isOfThisVersion } from '../platform/database/copy-rows.js';
import { DataFolderLock } from '../platform/database/data-folder-lock.js';
import { Database } from '../platform/database/database.js';
import { requireDirectAddress } from '../platform/database/direct-address.js';
import { migrate } from '../platform/database/migrate.js';
import { RunningDaemons } from '../platform/database/running-daemons.js';
import { HttpListener } from '../platform/http/server.js';
import { tlsFilesOf } from '../platform/http/sockets.js';
import { refuseByHand } from '../platform/http/unreadable.js';
import { createLogger } from '../platform/observability/logger.js';
import { Refused } from '../platform/refused.js';
import { systemClock } from '../platform/time/clock.js';
import type { SettingOptions } from './setting-options.js';

export interface CopyOptions extends SettingOptions {
  readonly from?: string;
  readonly to: string;
}

const runningMax = 5;
const tryAgainSeconds = 30;

export async function copy({ config, set, from: given, to }: CopyOptions): Promise<void> {
  const { settings } = loadSettings({ flags: set, file: config });
  const dataDir = prepareDataFolder(settings, createLogger('warn'));
  const source = given === undefined ? databaseAddresses(settings, dataDir).directUrl : addressOf(given, '--from');
  const target = addressOf(to, '--to');
  const file = [source, target].find((url) => url.startsWith('file:'));
  if (file === undefined || (source.startsWith('file:') && target.startsWith('file:')))
    throw new UsageError(
      'One of the two is a SQLite file (file:PATH) and the other PostgreSQL. Between two of a kind use `earshotd backup` and `restore`, or pg_dump and pg_restore.',
    );
  for (const url of [source, target]) await requireDirectAddress({ url, directUrl: url, connections: 1 });
  const lock = new DataFolderLock(dataDir, file.slice('file:'.length));
  lock.acquire();
  try {
    const closing = await notice(settings);
    try {
      await copyBetween(source, target);
    } finally {
      await closing();
    }
  } finally {
    lock.release();
  }
}

/** `file:PATH` or an address of PostgreSQL; an address with a password stands in a file, as every account reads arguments. */
function addressOf(given: string, option: string): string {
  if (given.startsWith('file:')) return `file:${resolve(given.slice('file:'.length))}`;
  if (isPostgresql(given)) {
    if (shownAddress(given) === given) return given;
    throw new UsageError(
      `${option}: an address with a password does not belong on a command line: write it into a private file, and give the path.`,
    );
  }
  const text = textIn(given);
  if (isPostgresql(text)) return text;
  throw new UsageError(`${option} takes file:PATH, an address of PostgreSQL, or the path of a file that has one.`);
}

/** Empty where the file cannot be read. */
function textIn(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return '';
  }
}

async function copyBetween(source: string, target: string): Promise<void> {
  const from = await Database.connect(source);
  try {
    await requireUnused(from, source);
    if (!(await isOfThisVersion(from)))
      throw new Refused(`${shownAddress(source)} is of an earlier version. Run \`earshotd migrate\` for it first.`);
    await migrate(target, systemClock);
    const to = await Database.connect(target);
    try {
      await requireUnused(to, target);
      await copyInto(from, to);
    } finally {
      await to.close();
    }
  } finally {
    await from.close();
  }
  printError(
    `Set DATABASE_URL to ${shownAddress(target)} and start the daemon. The data folder stays: it has the key ring, recordings and sound. ${shownAddress(source)} is as it was.`,
  );
}

async function copyInto(from: Database, to: Database): Promise<void> {
  const line = new ProgressLine();
  const show = ({ table, done, rows }: CopyProgress) =>
    line.show(done, rows, `${table}, ${done.toLocaleString('en')} of ${rows.toLocaleString('en')} rows`);
  const { tables, rows, digest } = await copyRows(from, to, show).finally(() => line.clear());
  print(`${rows.toLocaleString('en')} rows of ${tables} tables, the same on both sides: sha256 ${digest}`);
}

/** Throws Refused while daemons use the database. */
async function requireUnused(database: Database, url: string): Promise<void> {
  if (database.dialect === 'sqlite') return; // its lock is held
  const running = await new RunningDaemons(database, [], systemClock).list(runningMax);
  if (running.length > 0)
    throw new Refused(
      `Daemons use ${shownAddress(url)}: ${running.map(({ host }) => host).join(', ')}. Stop them before a copy.`,
    );
}

/** Answers in the place of the daemon, so that clients wait instead of giving up. Returns what ends that. */
async function notice(settings: Settings): Promise<() => Promise<void>> {
  const { EARSHOT_HOST: host, EARSHOT_PORT: port } = settings;
  const server = new HttpListener(host, port, tlsFilesOf(settings), 'EARSHOT_PORT', createLogger('warn'));
  const refusal = new DomainError('being_moved', { retryAfterSeconds: tryAgainSeconds });
  await server.start((request) => refuseByHand(refusal, request.socket));
  return () => server.stop(0);
}
