/** `earshotd support-bundle`: what helps to find a fault, in one archive, without secrets. */
import { lstatSync, opendirSync } from 'node:fs';
import { arch, cpus, freemem, loadavg, release, totalmem, uptime } from 'node:os';
import { join, resolve } from 'node:path';
import { type ZippedFile, zipOf } from '../../src/files/zip.js';
import { print, printError } from '../../src/terminal/terminal.js';
import { withoutPasswords } from '../../src/text/printable.js';
import { askDaemon } from '../admin-socket/client.js';
import { loadSettings } from '../platform/config/load.js';
import type { Settings } from '../platform/config/schema.js';
import { Secret } from '../platform/config/secret.js';
import { DataFolderLock } from '../platform/database/data-folder-lock.js';
import { describeDaemon } from '../platform/observability/support-operation.js';
import { systemClock } from '../platform/time/clock.js';
import { version } from '../platform/version.js';
import { settingLines } from './config.js';
import { doctorLines } from './doctor.js';
import type { SettingOptions } from './setting-options.js';
import { writeNew } from './write-new.js';

const filesMax = 5_000;
/** Keys of the API, and tokens (RFC 7519), wherever they stand. */
const credentials = /\bearshot_live_\w+|\beyJ[\w-]+\.[\w-]+\.[\w-]*/g;

const about = `What earshotd support-bundle has collected. Settings that are secret, passwords in addresses, keys and tokens
are replaced by ***. Lines of the log name ids of people, rooms and addresses: read the files before you hand them on.
`;

/** Throws Refused where the file is there already, and what `loadSettings` throws. */
export async function supportBundle(file: string | undefined, options: SettingOptions): Promise<void> {
  const { settings } = loadSettings({ flags: options.set, file: options.config });
  const now = systemClock();
  const path = resolve(file ?? `earshot-support-${now.toISOString().replaceAll(':', '-').slice(0, 19)}.zip`);
  const files = await collect(settings, options);
  const clean = maskOf(settings);
  const archive = zipOf(
    files.map(({ name, content }) => ({ name: `earshot-support/${name}`, content: clean(String(content)) })),
    now,
  );
  writeNew(path, archive);
  print(path);
  printError('It contains no secrets, but ids of people and rooms: read it before you hand it on.');
}

async function collect(settings: Settings, options: SettingOptions): Promise<ZippedFile[]> {
  const dataDir = resolve(settings.EARSHOT_DATA_DIR);
  const isRunning = new DataFolderLock(dataDir).holder() !== null;
  const daemon = isRunning ? await askDaemon(dataDir, describeDaemon, {}).catch(unavailable) : stopped;
  return [
    { name: 'README.txt', content: about },
    { name: 'versions.txt', content: versions() },
    { name: 'doctor.txt', content: lines(await doctorLines(options)) },
    { name: 'settings.txt', content: lines(settingLines(settings)) },
    { name: 'sizes.txt', content: lines(sizesIn(dataDir)) },
    { name: 'log.jsonl', content: daemon.log },
    { name: 'metrics.txt', content: daemon.metrics },
  ];
}

const lines = (all: readonly string[]): string => all.map((line) => `${line}\n`).join('');

const stopped = {
  log: 'No daemon runs on the data folder. Add the end of its log, such as `journalctl -u earshotd -n 500`.\n',
  metrics: 'No daemon runs on the data folder.\n',
};
const unavailable = (error: Error) => ({ log: `${error.message}\n`, metrics: `${error.message}\n` });

const versions = (): string =>
  lines([
    `earshot   ${version}`,
    `node      ${process.version} (${arch()}, ABI ${process.versions.modules})`,
    `system    ${process.platform} ${release()}, up for ${Math.round(uptime())} s`,
    `machine   ${cpus().length} processors, load ${loadavg()
      .map((load) => load.toFixed(1))
      .join(' ')}`,
    `memory    ${mebibytes(freemem())} of ${mebibytes(totalmem())} MiB free`,
  ]);
const mebibytes = (bytes: number): number => Math.round(bytes / 2 ** 20);

/** Bytes and name of each file of the folder, and of those in it. */
function sizesIn(folder: string, below = '', left = { files: filesMax }): string[] {
  const found: string[] = [];
  for (const name of namesIn(join(folder, below))) {
    const path = join(below, name);
    const info = lstatSync(join(folder, path), { throwIfNoEntry: false });
    if (info === undefined) continue;
    if (info.isDirectory()) found.push(...sizesIn(folder, path, left));
    else if (left.files > 0) found.push(`${String(info.size).padStart(12)}  ${path}`);
    left.files -= 1;
  }
  return found;
}

function namesIn(folder: string): string[] {
  const names: string[] = [];
  try {
    const opened = opendirSync(folder);
    for (let one = opened.readSync(); one !== null && names.length < filesMax; one = opened.readSync())
      names.push(one.name);
    opened.closeSync();
  } catch {
    // A folder that is not there, or that this account may not read, has no sizes to tell.
  }
  return names.toSorted();
}

/** Replaces what must not leave: the settings' own secrets first, then what looks like one. */
function maskOf(settings: Settings): (text: string) => string {
  const secrets = Object.values(settings).flatMap((value) => (value instanceof Secret ? [value.reveal()] : []));
  return (text) =>
    withoutPasswords(secrets.reduce((left, secret) => left.replaceAll(secret, '***'), text)).replaceAll(
      credentials,
      '***',
    );
}
