/** `earshotd speech install|sample`: fetches the recogniser, a model or a recording to try it on, and says how it went. */
import { resolve } from 'node:path';
import { loadSettings } from '../config/load.js';
import { CommandFailed } from '../voice/speech-install/command.js';
import { installSpeech as install } from '../voice/speech-install/install.js';
import { writeSample as write } from '../voice/speech-install/sample.js';
import { UsageError } from './failures.js';
import type { SettingOptions } from './setting-options.js';

export async function installSpeech({
  config,
  set,
  from,
  sha256,
}: SettingOptions & { from?: string; sha256?: string }): Promise<void> {
  const { settings } = loadSettings({ flags: set, file: config });
  if ((from === undefined) !== (sha256 === undefined)) throw new UsageError('--from and --sha256 go together.');
  const result = await install({
    dataDir: resolve(settings.EARSHOT_DATA_DIR),
    ...(from === undefined || sha256 === undefined ? {} : { archive: { from, sha256 } }),
    onProgress: tell,
  });
  if (!result.ok) throw new UsageError(`${result.reason} ${result.remedy}`);
  console.log(`speech: ${result.engine} is ready (${result.location})`);
}

export async function writeSample(file: string): Promise<void> {
  try {
    await write(resolve(file));
  } catch (error) {
    throw error instanceof CommandFailed ? new UsageError(error.message) : error;
  }
  console.log(`speech: ${file} says "go forward ten meters"`);
}

const mebibyte = 1024 * 1024;

/** One line that is written over on a terminal; a line a step elsewhere. */
function tell({ fetchedBytes, totalBytes }: { fetchedBytes: number; totalBytes: number }): void {
  const line = `speech: ${(fetchedBytes / mebibyte).toFixed(1)} of ${(totalBytes / mebibyte).toFixed(1)} MiB fetched`;
  process.stderr.write(process.stderr.isTTY ? `\r${line}${fetchedBytes >= totalBytes ? '\n' : ''}` : `${line}\n`);
}
