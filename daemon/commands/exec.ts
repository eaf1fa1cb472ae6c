/**
 * `earshotd exec -- COMMAND`: a throw-away daemon on free ports and a temporary folder for a CI job. The command finds
 * it in EARSHOT_URL, EARSHOT_API_KEY, EARSHOT_PROJECT and EARSHOT_MQTT_URL, and the administrator, for what only people
 * may do, in EARSHOT_ADMIN_EMAIL and EARSHOT_ADMIN_PASSWORD; its exit code is ours. However exec ends, command, daemon
 * and folder end with it.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { apiKeyRoutes } from '../../src/contract/identity/api-keys.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { scopeNames } from '../../src/contract/scopes.js';
import { printError } from '../../src/terminal/terminal.js';
import { Daemon } from '../daemon.js';
import { selectTranscriber } from '../modules/sessions/recognisers/select.js';
import { firstInstalled } from '../modules/sessions/speech-install/places.js';
import { speechDirsOf, transcriberSettings } from '../modules/sessions/speech-settings.js';
import { loadSettings } from '../platform/config/load.js';
import { type Settings, secretNames } from '../platform/config/schema.js';
import { databaseIn } from '../platform/data-folder.js';
import { createLogger } from '../platform/observability/logger.js';
import { programFile } from '../platform/package.js';
import { randomText } from '../platform/secrets/random.js';
import { codeOfSignal, EndSignals, runCommand } from './exec-command.js';
import { report } from './failures.js';
import type { SettingOptions } from './setting-options.js';

const administrator = 'ci@localhost';
/** Beside the codes that shells use (126, 127, 128 and above): exec itself failed, and the command was not run. */
const execFailed = 125;
/** EX_UNAVAILABLE: a recogniser was asked for, and there is none. */
const noRecogniser = 69;
const noGroup = 0;
/** Addresses at which the program under test listens for webhooks. */
const loopback = ['127.0.0.0/8', '::1'];
const guardProgram = programFile('commands/exec-guard');

export type ExecOptions = SettingOptions & { readonly withSpeech?: boolean };

export async function exec(command: readonly string[], options: ExecOptions): Promise<void> {
  const signals = new EndSignals();
  const umask = process.umask();
  const folder = mkdtempSync(join(tmpdir(), 'earshot-exec-'));
  const guard = startGuard(folder);
  let code: number;
  try {
    code = await beside(folder, command, { ...options, signals, umask, guard });
  } catch (error) {
    report(error);
    code = execFailed;
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
  process.exit(code);
}

interface ExecContext extends ExecOptions {
  readonly signals: EndSignals;
  readonly umask: number;
  readonly guard: ChildProcess;
}

async function beside(folder: string, command: readonly string[], running: ExecContext): Promise<number> {
  const { withSpeech = false, signals, umask, guard } = running;
  const password = randomText(18);
  const settings = await throwAwaySettings(folder, password, running);
  if (withSpeech) {
    const { transcriber, ...missing } = await selectTranscriber(transcriberSettings(settings, folder));
    if (transcriber === null) {
      const { reason, remedy } = { reason: '', remedy: '', ...missing };
      printError(`earshotd exec: --with-speech found no recogniser, so nothing was run. ${reason} ${remedy}`);
      return noRecogniser;
    }
  }
  const daemon = new Daemon(settings, createLogger(settings.EARSHOT_LOG_LEVEL));
  try {
    await daemon.start();
    if (signals.first !== null) return codeOfSignal(signals.first);
    const env = { ...withoutSecrets(process.env), ...(await credentials(daemon, password)) };
    return await runCommand(command, { env, umask, signals, onGroup: (group) => tellGuard(guard, group) });
  } finally {
    await daemon.stop();
  }
}

/**
 * The environment without the secrets of the usual installation, which the command has no use for. `DATABASE_URL` stays: a
 * program under test may have its own.
 */
function withoutSecrets(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const secret = new Set(
    secretNames.filter((name) => name !== 'DATABASE_URL').flatMap((name) => [name, `${name}_FILE`]),
  );
  return Object.fromEntries(Object.entries(env).filter(([name]) => !secret.has(name)));
}

/** Recognisers installed for the usual data folder are used here too. */
async function throwAwaySettings(folder: string, password: string, { config, set }: ExecOptions): Promise<Settings> {
  const { settings: usual } = loadSettings({ file: config, flags: set });
  const installed = await firstInstalled(speechDirsOf(usual, resolve(usual.EARSHOT_DATA_DIR)));
  const { settings } = loadSettings({
    file: config,
    flags: {
      EARSHOT_PORT: '0',
      EARSHOT_MQTT_PORT: '0',
      EARSHOT_MEDIA_PORT: '0',
      EARSHOT_LOG_LEVEL: 'error',
      ...(installed === null ? {} : { EARSHOT_SPEECH_DIR: installed }),
      ...set,
      EARSHOT_OUTBOUND_ALLOW: [...loopback, ...(usual.EARSHOT_OUTBOUND_ALLOW ?? [])].join(' '),
      EARSHOT_DATA_DIR: folder,
      DATABASE_URL: `file:${databaseIn(folder)}`,
      EARSHOT_ADMIN_EMAIL: administrator,
      EARSHOT_ADMIN_PASSWORD: password,
    },
  });
  return settings;
}

/** In a session of its own, so that signals to exec do not reach it. */
function startGuard(folder: string): ChildProcess {
  const guard = fork(guardProgram, [folder], { detached: true, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  guard.on('error', () => {}); // without the guard, only a SIGKILL leaves something behind
  guard.unref();
  return guard;
}

function tellGuard(guard: ChildProcess, group: number | null): void {
  if (guard.connected) guard.send(group ?? noGroup, () => {});
}

async function credentials(daemon: Daemon, password: string): Promise<Record<string, string>> {
  const baseUrl = daemon.addresses.http;
  const anonymous = new EarshotClient({ baseUrl });
  const { accessToken } = await anonymous.call(accountRoutes.loginCredentials, {
    body: { email: administrator, password },
  });
  const client = new EarshotClient({ baseUrl, credential: { kind: 'bearer', token: accessToken } });
  const [project] = await client.call(projectRoutes.list, {});
  const { key } = await client.call(apiKeyRoutes.create, { body: { name: 'exec', scopes: [...scopeNames] } });
  return {
    EARSHOT_URL: baseUrl,
    EARSHOT_API_KEY: key,
    EARSHOT_PROJECT: project?.id ?? '',
    EARSHOT_MQTT_URL: daemon.addresses.mqtt,
    EARSHOT_ADMIN_EMAIL: administrator,
    EARSHOT_ADMIN_PASSWORD: password,
  };
}
