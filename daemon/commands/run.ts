/** `earshotd run`: until SIGTERM or SIGINT; a second signal ends at once. */
import { existsSync, rmSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { printError } from '../../src/terminal/terminal.js';
import { Daemon } from '../daemon.js';
import type { FirstAdministrator } from '../modules/identity/accounts/bootstrap.js';
import { loadSettings } from '../platform/config/load.js';
import { takeOver } from '../platform/config/reload.js';
import type { Settings } from '../platform/config/schema.js';
import { adminPasswordFile } from '../platform/data-folder.js';
import { outlive, reloadTls } from '../platform/http/sockets.js';
import { ServiceManager } from '../platform/lifecycle/service-manager.js';
import { createLogger, type Logger } from '../platform/observability/logger.js';
import { systemClock } from '../platform/time/clock.js';
import { report } from './failures.js';
import { onOtherSignals } from './other-signals.js';
import { logOnTerminal } from './readable-log.js';
import type { SettingOptions } from './setting-options.js';

/**
 * One ctrl-c reaches the daemon from the terminal, from npm and from the start script; signals this close together
 * count as one.
 */
const sameSignalMs = 500;

/** A stop takes five; what is left is for a machine that is busy. */
const stopSecondsMax = 15;

/** An upgrade may take so many times as long as was estimated, before it is taken to be stuck. */
const timesTheEstimate = 20;

export async function run({ config, set }: SettingOptions): Promise<void> {
  const sources = { flags: set, file: config };
  const { settings: loaded, warnings } = loadSettings(sources);
  const settings = { ...loaded }; // a reload changes it
  // The reader of the output may go away; the daemon goes on.
  for (const output of [process.stdout, process.stderr]) outlive(output);
  const logger = createLogger(settings.EARSHOT_LOG_LEVEL, logOnTerminal());
  onOtherSignals((signal, sentence) => logger.info({ signal }, sentence));
  for (const warning of warnings) logger.warn(warning);
  onReload(() => reload(settings, sources, logger));
  const systemd = new ServiceManager(process.env, (err) =>
    logger.warn({ err }, 'systemd cannot be told of the start: install systemd-notify'),
  );
  systemd.starts();
  const daemon = new Daemon(settings, logger, systemClock, ({ seconds }) => systemd.extend(seconds * timesTheEstimate));
  const asked = askedToStop();
  try {
    await daemon.start();
  } catch (error) {
    process.exit(report(error)); // a part that did not start must not keep the process alive
  }
  systemd.serves(`listening at ${daemon.addresses.http}`);
  const passwordFile = adminPasswordFile(resolve(settings.EARSHOT_DATA_DIR));
  if (daemon.firstAdministrator !== null) welcome({ daemon, logger, settings }, daemon.firstAdministrator);
  else if (existsSync(passwordFile))
    logger.info({ passwordFile }, "the administrator's first password is in a file; delete the file after reading it");
  const { askedAt, signal } = await asked;
  logger.info({ signal }, 'stopping');
  systemd.stops(settings.EARSHOT_STOP_DELAY_SECONDS + stopSecondsMax);
  if (signal === 'SIGTERM') await daemon.drain(); // ctrl-c is of somebody who waits
  await daemon.stop();
  logger.info({ durationMs: Math.round(performance.now() - askedAt) }, 'stopped');
  process.exit(0);
}

/** SIGHUP, as daemons take it. With a terminal it says that the terminal is gone, and ends the process. */
function onReload(work: () => void): void {
  if (!process.stdin.isTTY && !process.stdout.isTTY) process.on('SIGHUP', work);
}

/** Reads the settings and certificates again, and goes on with the old ones where the new ones are wrong. */
function reload(settings: Settings, sources: Parameters<typeof loadSettings>[0], logger: Logger): void {
  try {
    const { changed, later } = takeOver(settings, loadSettings(sources).settings);
    logger.level = settings.EARSHOT_LOG_LEVEL;
    reloadTls();
    logger.info({ changed }, 'settings were read again');
    if (later.length > 0) logger.warn({ settings: later }, 'settings have changed that need a restart');
  } catch (err) {
    logger.error({ err }, 'the settings were not read again; those of before stay in force');
  }
}

interface AskedToStop {
  readonly askedAt: number;
  readonly signal: NodeJS.Signals;
}

/** Resolves with the first signal; the next one ends the process at once. */
function askedToStop(): Promise<AskedToStop> {
  return new Promise((resolve) => {
    let first: number | null = null;
    const stop = (signal: NodeJS.Signals) => {
      const now = performance.now();
      if (first !== null && now - first > sameSignalMs) process.exit(1);
      first ??= now;
      resolve({ askedAt: first, signal });
    };
    process.on('SIGTERM', stop).on('SIGINT', stop);
  });
}

/** The address that `earshot` uses by default. */
const addressDefault = 'http://127.0.0.1:8080';

/** How to type `earshot` here: as a file beside this program, or as an installed command. */
function commandLineProgram(): string {
  const [, program = ''] = process.argv;
  const beside = join(dirname(program), 'earshot.js');
  const path = relative(process.cwd(), beside);
  return basename(program) === 'earshotd.js' && existsSync(beside) && !path.startsWith('..') ? `./${path}` : 'earshot';
}

/** Printed once, or logged where there is no terminal. A random password goes to the terminal, or to a file. */
function welcome(
  { daemon, logger, settings }: { readonly daemon: Daemon; readonly logger: Logger; readonly settings: Settings },
  { email, generatedPassword }: FirstAdministrator,
): void {
  const dataDir = resolve(settings.EARSHOT_DATA_DIR);
  const file = adminPasswordFile(dataDir);
  const terminal = process.stderr.isTTY;
  const earshot = commandLineProgram();
  const place = daemon.addresses.http === addressDefault ? '' : ` --url ${daemon.addresses.http}`;
  if (!terminal) {
    // A journal has every line of this program: each is JSON, as docs/operating.md reads it.
    const { http: address, mqtt, media } = daemon.addresses;
    const passwordFile = generatedPassword === null ? null : file;
    logger.info({ address, mqtt, voicePort: media, dataDir, administrator: email, passwordFile }, 'Earshot is ready');
    return;
  }
  const password = generatedPassword ?? 'the one you gave';
  printError(
    [
      '',
      'Earshot is ready.',
      `  address        ${daemon.addresses.http}`,
      `  console        ${daemon.addresses.http}/console`,
      `  MQTT           ${daemon.addresses.mqtt}`,
      `  voice          UDP ${daemon.addresses.media}`,
      `  data           ${dataDir}`,
      `  administrator  ${email}`,
      `  password       ${password}`,
      '',
      'Try next:',
      `  ${earshot} login --email ${email}${place}`,
      `  ${earshot} sessions create --title Demo --room demo`,
      `  ${earshot} events tail`,
      '',
    ].join('\n'),
  );
  rmSync(file, { force: true });
}
