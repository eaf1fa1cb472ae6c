/** Folders of recognisers: with the data of one daemon, or once for all daemons of an account. */
import { access } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { unpackedEngineDir } from '../recognisers/pocketsphinx-engine.js';
import { installedSherpaModel, installedSherpaModels } from '../recognisers/sherpa.js';

/** `earshot/speech` in the account's cache folder. */
export const sharedSpeechDir = (): string =>
  join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'earshot', 'speech');

/** The first of these folders that something was installed into, or null. */
export async function firstInstalled(speechDirs: readonly string[]): Promise<string | null> {
  for (const dir of speechDirs) {
    const hasEngine = await access(unpackedEngineDir(dir)).then(
      () => true,
      () => false,
    );
    if (hasEngine || (await installedSherpaModel([dir])) !== null) return dir;
  }
  return null;
}

/** Folders of the installed models of sherpa-onnx. */
export const installedModels = installedSherpaModels;
