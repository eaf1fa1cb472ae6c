/** `earshotd speech serve`: until SIGTERM or SIGINT. */
import { once } from 'node:events';
import { resolve } from 'node:path';
import { inspect } from 'node:util';
import { readWav } from '../../src/client/voice/wav-file.js';
import { print, printError } from '../../src/terminal/terminal.js';
import { UsageError } from '../../src/terminal/usage-error.js';
import { startSpeechServer } from '../modules/sessions/speech-install/serve.js';
import { transcriberSettings } from '../modules/sessions/speech-settings.js';
import { loadSettings } from '../platform/config/load.js';
import { onOtherSignals } from './other-signals.js';
import type { SettingOptions } from './setting-options.js';

export interface ServeOptions extends SettingOptions {
  readonly host: string;
  readonly port: string;
}

const loopback = new Set(['127.0.0.1', '::1', 'localhost']);

export async function serve({ config, set, host, port }: ServeOptions): Promise<void> {
  const { settings } = loadSettings({ flags: set, file: config });
  const key = settings.EARSHOT_SPEECH_SERVER_KEY?.reveal() ?? null;
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) throw new UsageError(`--port takes a number, not ${port}.`);
  if (key === null && !loopback.has(host))
    throw new UsageError(`Others can reach ${host}: set EARSHOT_SPEECH_SERVER_KEY, or listen on 127.0.0.1.`);
  const usual = transcriberSettings(settings, resolve(settings.EARSHOT_DATA_DIR));
  onOtherSignals((signal, sentence) => printError(`speech: ${signal}: ${sentence}`));
  const started = await startSpeechServer(usual, key, readWav, { host, port: Number(port) }, (error) =>
    printError(`speech: a request failed: ${inspect(error)}`),
  );
  if (!started.ok) throw new UsageError(`${started.reason} ${started.remedy}`);
  print(`speech: ${started.engine} listens on ${started.url}`);
  await Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]);
  await started.stop();
}
