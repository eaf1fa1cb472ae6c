/** `earshotd doctor`: reports what would keep a daemon from working on this machine, without changing anything. */
import { X509Certificate } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { accessSync, constants, existsSync, readdirSync, statfsSync, statSync } from 'node:fs';
import { createServer, isIP } from 'node:net';
import { dirname, resolve } from 'node:path';
import { Cron } from 'croner';
import { daemonMib, memoryMib, requirements } from '../../src/start/machine.js';
import { print, styled } from '../../src/terminal/terminal.js';
import { withoutPasswords } from '../../src/text/printable.js';
import { askDaemon } from '../admin-socket/client.js';
import { readVersion } from '../admin-socket/wire.js';
import { identityProviderProblem } from '../modules/identity/module.js';
import { tryRoomProcess } from '../modules/rooms/embedded/room-child.js';
import { liveKitChecks } from '../modules/rooms/livekit/checks.js';
import { liveKitAccess } from '../modules/rooms/livekit/server.js';
import { selectTranscriber } from '../modules/sessions/recognisers/select.js';
import { transcriberSettings } from '../modules/sessions/speech-settings.js';
import { countFigures } from '../modules/stats/module.js';
import { loadSettings } from '../platform/config/load.js';
import type { Settings } from '../platform/config/schema.js';
import { heldWebhooksFile, isReadByOthers, sqliteFileOf } from '../platform/data-folder.js';
import { isPostgresql } from '../platform/database/addresses.js';
import { backupFolder, readBackupName } from '../platform/database/backup.js';
import { BackupStore } from '../platform/database/backup-store.js';
import { DataFolderLock } from '../platform/database/data-folder-lock.js';
import { lookAtDatabaseFiles } from '../platform/database/file-probe.js';
import { newestOf, readDrill } from '../platform/database/restore-trial.js';
import { listSkippedEvents } from '../platform/events/skipped-events.js';
import { listen, readTls } from '../platform/http/sockets.js';
import { listUnnamedProxies } from '../platform/http/unnamed-proxies.js';
import { createLogger } from '../platform/observability/logger.js';
import { packageFolder } from '../platform/package.js';
import { listProcessFaults } from '../platform/processes/process-faults.js';
import { listFailingJobs } from '../platform/scheduler/admin-operations.js';
import { listSetAside } from '../platform/set-aside.js';
import { systemClock } from '../platform/time/clock.js';
import { listClockSteps } from '../platform/time/clock-watch.js';
import { dayMs } from '../platform/time/spans.js';
import { version } from '../platform/version.js';
import { database, ids, masterKey, voiceRole } from './doctor-database.js';
import { Warning } from './doctor-warning.js';
import type { SettingOptions } from './setting-options.js';

type State = 'ok' | 'warning' | 'problem';

interface CheckResult {
  readonly state: State;
  readonly check: string;
  readonly says: string;
}

const colours = { ok: 'green', warning: 'yellow', problem: 'red' } as const;
const freeBytesMin = 1024 ** 3;
/** A certificate that ends sooner should have been renewed. */
const renewalMs = 14 * dayMs;
/** A backup that is so late was not made. */
const overdueMs = 3_600_000;
/** Ids in one line. */
const shownMax = 5;

/** One line per check; exit code 1 when something is a problem. */
export async function doctor(options: SettingOptions): Promise<void> {
  for await (const found of examine(options)) {
    print(lineOf(found, (label) => (process.stdout.isTTY ? styled(colours[found.state], label) : label)));
    if (found.state === 'problem') process.exitCode = 1;
  }
}

/** What `doctor` prints. */
export async function doctorLines(options: SettingOptions): Promise<string[]> {
  const lines: string[] = [];
  for await (const found of examine(options)) lines.push(lineOf(found));
  return lines;
}

const lineOf = ({ state, check, says }: CheckResult, paint = (label: string) => label): string =>
  `${paint(state.padEnd('problem'.length))}  ${check.padEnd(11)}  ${withoutPasswords(says)}`;

async function* examine({ config, set }: SettingOptions): AsyncGenerator<CheckResult, void> {
  const { settings, warnings } = loadSettings({ flags: set, file: config });
  for (const says of warnings) yield { state: 'warning', check: 'settings', says };
  if (warnings.length === 0) yield { state: 'ok', check: 'settings', says: 'fine' };
  const dataDir = resolve(settings.EARSHOT_DATA_DIR);
  const holder = new DataFolderLock(dataDir).holder();
  yield await looked('version', () => versions(holder === null ? null : dataDir));
  yield await looked('daemon', () => (holder === null ? 'is not running on this data folder' : `runs as ${holder}`));
  yield await looked('memory', () => memory());
  yield await looked('data folder', () => folder(dataDir));
  yield await looked('master key', () => masterKey(dataDir, settings));
  yield await looked('database', () => database(dataDir, settings));
  yield await looked('backups', () => backups(dataDir, settings));
  const { EARSHOT_BACKUP_SCHEDULE: backupTimes, EARSHOT_BACKUP_DRILL: drillTimes } = settings;
  const store = BackupStore.of(settings);
  if (store !== null) yield await looked('backup store', () => backupStore(store, backupTimes));
  if (drillTimes !== undefined) yield await looked('restore drill', () => drill(dataDir, drillTimes));
  if (existsSync(heldWebhooksFile(dataDir)))
    yield {
      state: 'warning',
      check: 'webhooks',
      says: 'wait since a restore. Stop the machine of the backup, then run `earshotd webhooks release`.',
    };
  yield await looked('ids', () => ids(dataDir, settings));
  const { DATABASE_URL: url } = settings;
  if (url !== undefined && isPostgresql(url)) yield await looked('voice role', () => voiceRole(url));
  if (holder === null) yield* ports(settings);
  else {
    yield await looked('database files', () => databaseFiles(dataDir));
    yield await looked('proxy', () => proxies(dataDir));
    yield await looked('processes', () => processFaults(dataDir));
    yield await looked('set aside', () => setAside(dataDir));
    yield await looked('jobs', () => failingJobs(dataDir));
    yield await looked('figures', async () => {
      await askDaemon(dataDir, countFigures, {});
      return 'of moderation can be counted';
    });
    yield await looked('clock', () => clockSteps(dataDir));
    yield await looked('events', () => skippedEvents(dataDir));
  }
  const { EARSHOT_TLS_CERT: cert, EARSHOT_TLS_KEY: key } = settings;
  if (cert !== undefined && key !== undefined)
    yield await looked('TLS', () => {
      return certificateState(cert, readTls({ cert, key }).cert, settings);
    });
  if (settings.EARSHOT_IDENTITY !== 'none')
    yield await looked('sign-in', async () => {
      const problem = await identityProviderProblem(settings);
      if (problem !== null) throw new Warning(problem);
      return `people can sign in at ${settings.EARSHOT_IDENTITY_URL}`;
    });
  const { EARSHOT_SMTP_URL: smtp } = settings;
  if (smtp !== undefined) yield await looked('mail', () => mail(smtp.reveal(), settings.EARSHOT_MAIL_FROM));
  yield await looked('modules', () => nativeModules());
  if (settings.EARSHOT_ROOMS === 'livekit') yield* liveKit(settings);
  else yield await looked('voice rooms', () => rooms());
  yield await looked('speech', () => speech(dataDir, settings));
}

/** @param dataDir of a daemon that runs; null: none does */
async function versions(dataDir: string | null): Promise<string> {
  const own = `earshotd ${version}, Node.js ${process.version}`;
  const running = dataDir === null ? version : await askDaemon(dataDir, readVersion, {});
  if (running !== version) throw new Warning(`${own}; the daemon that runs is ${running}. Restart it.`);
  return own;
}

function memory(): string {
  const available = memoryMib();
  const says = `${available} MiB; the daemon ${requirements}`;
  if (available < daemonMib) throw new Warning(`${says}. Use a larger machine, or raise the container's limit.`);
  return says;
}

function folder(dataDir: string): string {
  const place = existsSync(dataDir) ? dataDir : dirname(dataDir);
  accessSync(place, constants.R_OK | constants.W_OK);
  const { bavail, bsize, files, ffree } = statfsSync(place);
  // Some file systems count none.
  if (files > 0 && ffree === 0)
    throw new Error(`${dataDir} is on a disk without free inodes (\`df -i\`): delete files that are not needed.`);
  const free = `${((bavail * bsize) / 1024 ** 3).toFixed(1)} GiB free`;
  if (bavail * bsize < freeBytesMin)
    throw new Warning(`${dataDir}: only ${free}. Make room, or shorten EARSHOT_EVENT_RETENTION_DAYS.`);
  if (place === dataDir && isReadByOthers(dataDir))
    throw new Warning(`${dataDir} can be read by others. The next start restricts it, or run \`chmod 700\` on it.`);
  return place === dataDir ? `${dataDir}, ${free}` : `${dataDir} will be created by the first start, ${free}`;
}

/** When one was due after the last, if that is too long ago; null: it is not, or none is asked for. */
function missedSince(last: Date, times: string | undefined): Date | null {
  const due = times === undefined ? null : new Cron(times, { paused: true }).nextRun(last);
  return due !== null && due.getTime() + overdueMs < systemClock().getTime() ? due : null;
}

function backups(dataDir: string, settings: Settings): string {
  if (sqliteFileOf(settings) === null) return 'are yours to make, with pg_dump';
  const { EARSHOT_BACKUP_SCHEDULE: times } = settings;
  const folder = backupFolder(dataDir, settings.EARSHOT_BACKUP_FOLDER);
  const all = existsSync(folder) ? readdirSync(folder).filter((name) => readBackupName(name) !== null) : [];
  if (times !== undefined) requireWritable(folder);
  const newest = newestOf(all);
  if (newest === null)
    return times === undefined
      ? `none in ${folder}. \`earshotd backup\` makes one, EARSHOT_BACKUP_SCHEDULE makes them regularly`
      : `none in ${folder} yet`;
  const due = missedSince(newest.at, times);
  if (due !== null)
    throw new Warning(
      `The newest is of ${newest.at.toISOString()}, and one was due at ${due.toISOString()}. The daemon's log says why, if it ran then.`,
    );
  const isBeside = existsSync(dataDir) && statSync(folder).dev === statSync(dataDir).dev;
  const warning = isBeside ? ', on the disk of the data: copy them to another one' : '';
  return `${all.length} in ${folder}, the newest of ${newest.at.toISOString()}${warning}`;
}

/** Throws Warning where the newest backup in the store is too old, or the store does not answer. */
async function backupStore(store: BackupStore, times: string | undefined): Promise<string> {
  const newest = newestOf((await store.list()).map(({ name }) => name));
  if (newest === null) return `${store.address} answers, and holds no backup yet`;
  const due = missedSince(newest.at, times);
  if (due !== null)
    throw new Warning(
      `The newest in ${store.address} is of ${newest.at.toISOString()}, and one was due at ${due.toISOString()}.`,
    );
  return `${store.address} answers; the newest is of ${newest.at.toISOString()}`;
}

/** Throws Warning where the last trial failed, or was not made in time. */
function drill(dataDir: string, times: string): string {
  const last = readDrill(dataDir);
  if (last === null) return 'none was made yet';
  if (last.problem !== null) throw new Warning(`The trial of ${last.at.toISOString()} failed: ${last.problem}`);
  const due = missedSince(last.at, times);
  if (due !== null)
    throw new Warning(`The last is of ${last.at.toISOString()}, and one was due at ${due.toISOString()}.`);
  return `${last.backup} was restored on ${last.at.toISOString()} in ${last.seconds} s`;
}

/** Throws Warning where no backup can be written there: in the folder, or in the one that it will be made in. */
function requireWritable(folder: string): void {
  let place = folder;
  while (!existsSync(place)) place = dirname(place);
  try {
    accessSync(place, constants.W_OK);
  } catch {
    throw new Warning(`${place} cannot be written to, so no backup can be made. Give it to the daemon's account.`);
  }
}

/** Binds each port for a moment. A running daemon would hold them itself. */
async function* ports(settings: Settings): AsyncGenerator<CheckResult, void> {
  const { EARSHOT_HOST: host, EARSHOT_PORT: http, EARSHOT_MQTT_PORT: mqtt, EARSHOT_METRICS_PORT: metrics } = settings;
  const { EARSHOT_MEDIA_HOST: mediaHost, EARSHOT_MEDIA_PORT: media, EARSHOT_ROOM_PROCESSES: processes } = settings;
  const tcp = (port: number, setting: string) => async () => {
    const server = createServer();
    await listen(server, host, port, setting);
    server.close();
    return port === 0 ? 'any free one' : `${port} is free`;
  };
  yield await looked('HTTP port', tcp(http, 'EARSHOT_PORT'));
  if (mqtt !== 0) yield await looked('MQTT port', tcp(mqtt, 'EARSHOT_MQTT_PORT'));
  if (metrics !== undefined) yield await looked('metrics port', tcp(metrics, 'EARSHOT_METRICS_PORT'));
  if (settings.EARSHOT_ROOMS === 'livekit') return;
  yield await looked('media ports', async () => {
    const last = media === 0 ? 0 : media + processes - 1;
    for (let port = media; port <= last; port += 1) await bindUdp(port, mediaHost);
    if (media === 0) return 'any free ones';
    return last === media ? `${media} (UDP) is free` : `${media} to ${last} (UDP) are free`;
  });
}

async function bindUdp(port: number, host: string | undefined): Promise<void> {
  const socket = createSocket('udp4');
  const listening = once(socket, 'listening');
  try {
    socket.bind(port, host);
    await listening;
  } catch (error) {
    listening.catch(() => {});
    if (error instanceof Error && 'code' in error && error.code === 'EADDRNOTAVAIL')
      throw new Error(`${host} is no address of this machine. Set EARSHOT_MEDIA_HOST to one of its own, or unset it.`);
    throw new Error(
      `UDP port ${port} is taken. Set EARSHOT_MEDIA_PORT to another one, or EARSHOT_ROOM_PROCESSES to the number of free ports from there on.`,
    );
  } finally {
    socket.close();
  }
}

/** Asks the running daemon, which alone knows the files that it has open. */
async function databaseFiles(dataDir: string): Promise<string> {
  const { problem } = await askDaemon(dataDir, lookAtDatabaseFiles, {});
  if (problem !== null) throw new Error(`${problem}.`);
  return 'are in use by the daemon itself';
}

/** Asks the running daemon, because settings alone do not show a proxy that nobody told it of. */
async function proxies(dataDir: string): Promise<string> {
  const { addresses } = await askDaemon(dataDir, listUnnamedProxies, {});
  if (addresses.length === 0) return 'no requests come through a proxy that EARSHOT_TRUSTED_PROXIES does not name';
  throw new Warning(
    `Requests come through ${addresses.join(' and ')}, so their clients share one address in limits and in the audit log. Set EARSHOT_TRUSTED_PROXIES=${addresses.join(',')}, and EARSHOT_PUBLIC_URL to the address that people use; docs/operating.md has an example.`,
  );
}

const processNames = new Map([
  ['rooms', 'the room process'],
  ['plugins', 'the process of plugins'],
  ['speech', 'a speech recogniser'],
]);

async function processFaults(dataDir: string): Promise<string> {
  const { faults } = await askDaemon(dataDir, listProcessFaults, {});
  if (faults.length === 0) return 'none has crashed since the daemon started';
  const all = faults.map(({ process, count, cause, at }) => {
    const how = cause === 'hung' ? 'hung and was killed' : cause === 'exit' ? 'ended by itself' : `ended by ${cause}`;
    return `${processNames.get(process) ?? process} ${how} at ${at} (${count} ${count === 1 ? 'fault' : 'faults'} since the daemon started)`;
  });
  throw new Warning(
    `${all.join('; ')}. The daemon restarts it. Look for "ended by a fault" in the log; report it if it happens again.`,
  );
}

async function setAside(dataDir: string): Promise<string> {
  const { work } = await askDaemon(dataDir, listSetAside, {});
  const some = work.filter(({ count }) => count > 0);
  if (some.length === 0) return 'the daemon has set no work aside';
  throw new Warning(
    `The daemon crashed twice during ${some.map(({ kind, count, resume }) => `${count} ${kind.replaceAll('_', ' ')} (resumed by \`${resume}\`)`).join(', ')}, so they are not retried automatically. Look for "ended by a fault" in the log, and report it.`,
  );
}

async function failingJobs(dataDir: string): Promise<string> {
  const { jobs } = await askDaemon(dataDir, listFailingJobs, {});
  if (jobs.length === 0) return 'background jobs complete';
  const all = jobs.map(
    ({ job, count, since, message }) =>
      `${job} fails since ${since} (${count} ${count === 1 ? 'time' : 'times'}): ${message}`,
  );
  throw new Error(
    `${all.join('; ')}. The daemon tries again by itself. Its log has the line "a job failed" with the cause.`,
  );
}

async function clockSteps(dataDir: string): Promise<string> {
  const { steps } = await askDaemon(dataDir, listClockSteps, {});
  if (steps.length === 0) return 'has not been set since the daemon started';
  const all = steps.map(({ at, ms }) => `${ms < 0 ? 'back' : 'forward'} by ${Math.abs(ms) / 1_000} s at ${at}`);
  throw new Warning(
    `The clock of this machine was set ${all.join(', ')}. Let a time server correct it a little at a time: times that are stored differ by as much.`,
  );
}

async function skippedEvents(dataDir: string): Promise<string> {
  const { ids } = await askDaemon(dataDir, listSkippedEvents, {});
  if (ids.length === 0) return 'every event that was read could be processed';
  const shown = ids.slice(0, shownMax).join(', ');
  throw new Warning(
    `${ids.length} ${ids.length === 1 ? 'event' : 'events'} of the log could not be read or counted since the start, and ${ids.length === 1 ? 'is' : 'are'} skipped: ${shown}${ids.length > shownMax ? ', …' : ''}. The log has the cause of each: look for "is skipped".`,
  );
}

/** A certificate that has ended is read without an error, and refused by every client. */
function certificateState(path: string, pem: Buffer, settings: Settings): string {
  const certificate = new X509Certificate(pem);
  const [begins, ends] = [new Date(certificate.validFrom), new Date(certificate.validTo)];
  const now = systemClock();
  const [from, to] = [begins, ends].map((date) => date.toISOString().slice(0, 10));
  if (ends < now) throw new Error(`${path} ended on ${to}, so clients refuse it. Renew it.`);
  if (begins > now) throw new Error(`${path} begins on ${from}, so clients refuse it until then.`);
  const { EARSHOT_PUBLIC_URL: url, EARSHOT_TRUSTED_PROXIES: proxies } = settings;
  // Behind a proxy, people see the proxy's certificate.
  const name =
    url === undefined || (proxies ?? []).length > 0 ? undefined : new URL(url).hostname.replace(/^\[|\]$/g, '');
  if (name !== undefined && (isIP(name) === 0 ? certificate.checkHost(name) : certificate.checkIP(name)) === undefined)
    throw new Error(`${path} is not for ${name}, the host of EARSHOT_PUBLIC_URL, so clients refuse it.`);
  if (ends.getTime() - now.getTime() < renewalMs) throw new Warning(`${path} ends on ${to}. Renew it.`);
  return `${path} can be used until ${to}`;
}

/** Connects and signs in, as before an email. */
async function mail(url: string, from: string): Promise<string> {
  const { SmtpMail } = await import('../platform/mail/smtp.js');
  const server = new SmtpMail(url, from, createLogger('silent'));
  try {
    await server.verify();
    return 'can be sent';
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Warning(`The mail server cannot be used: ${reason}. Check EARSHOT_SMTP_URL.`);
  } finally {
    server.close();
  }
}

/** Modules of native code, with what loads and uses each. */
const native: Readonly<Record<string, () => Promise<unknown>>> = {
  'better-sqlite3': async () => new (await import('better-sqlite3')).default(':memory:').close(),
  '@node-rs/argon2': async () => (await import('@node-rs/argon2')).hash('doctor', { memoryCost: 8, timeCost: 1 }),
  '@evan/opus': () => import('@evan/opus'),
};

/** Each is used once: a module that was built for another Node.js is there, and does not load. */
async function nativeModules(): Promise<string> {
  for (const [name, use] of Object.entries(native))
    await use().catch((cause: unknown) => {
      const reason = cause instanceof Error ? cause.message.split('\n').slice(0, 2).join(' ') : String(cause);
      throw new Error(
        `${name} cannot be used by Node.js ${process.version}: ${reason}. Run \`npm rebuild ${name}\` in ${packageFolder}, or start earshotd with the Node.js that installed it.`,
      );
    });
  return `of native code are built for Node.js ${process.version}`;
}

async function rooms(): Promise<string> {
  await tryRoomProcess(createLogger('silent'));
  return 'the room process starts';
}

async function* liveKit(settings: Settings): AsyncGenerator<CheckResult, void> {
  const access = liveKitAccess(settings);
  for (const { check, look, isWarning } of access === null ? [] : liveKitChecks(access, settings.EARSHOT_PUBLIC_URL)) {
    const found = await looked(check, look);
    yield found.state === 'problem' && isWarning ? { ...found, state: 'warning' } : found;
  }
}

async function speech(dataDir: string, settings: Settings): Promise<string> {
  const selection = await selectTranscriber(transcriberSettings(settings, dataDir));
  if (selection.transcriber === null) throw new Warning(`${selection.reason} ${selection.remedy}`);
  return `recogniser: ${selection.label}`;
}

async function looked(check: string, look: () => Promise<string> | string): Promise<CheckResult> {
  try {
    return { state: 'ok', check, says: await look() };
  } catch (error) {
    const state = error instanceof Warning ? 'warning' : 'problem';
    return { state, check, says: error instanceof Error ? error.message : String(error) };
  }
}
