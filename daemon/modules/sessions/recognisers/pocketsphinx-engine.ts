/** Finds a pocketsphinx to run: the system's, or one that `earshotd speech install` has unpacked. */
import { constants } from 'node:fs';
import { access, readdir } from 'node:fs/promises';
import { delimiter, dirname, isAbsolute, join } from 'node:path';

export interface PocketsphinxEngine {
  /** Absolute path of pocketsphinx_batch. */
  program: string;
  /** Folder with the acoustic model `en-us`, its language model and its dictionary. */
  modelDir: string;
  /** Put on the loader's path; empty for the system's own. */
  libraryDirs: string[];
}

/** Services of macOS start without it on their path. */
const homebrewFolder = '/opt/homebrew/bin';
const modelFiles = ['en-us', 'en-us.lm.bin', 'cmudict-en-us.dict'];

/** Returns the folder of the unpacked engine inside a folder of recognisers. */
export const unpackedEngineDir = (speechDir: string): string => join(speechDir, 'pocketsphinx');

/** Every complete engine (program and model), the system's first: those on the path. */
export async function findPocketsphinx(
  speechDirs: readonly string[],
  path = process.env.PATH ?? '',
): Promise<PocketsphinxEngine[]> {
  const folders = new Set([...path.split(delimiter).filter(isAbsolute), homebrewFolder]);
  const system = await Promise.all([...folders].map((folder) => engineAt(dirname(folder), [])));
  const unpacked = await Promise.all(speechDirs.map((dir) => unpackedPocketsphinx(unpackedEngineDir(dir))));
  return [...system, ...unpacked].filter((engine) => engine !== null);
}

/** The engine below a folder of unpacked packages, or null when there is none, or only half of one. */
export async function unpackedPocketsphinx(root: string): Promise<PocketsphinxEngine | null> {
  return engineAt(join(root, 'usr'), await libraryDirs(join(root, 'usr', 'lib')));
}

async function engineAt(prefix: string, libraries: string[]): Promise<PocketsphinxEngine | null> {
  const program = join(prefix, 'bin', 'pocketsphinx_batch');
  const modelDir = join(prefix, 'share', 'pocketsphinx', 'model', 'en-us');
  try {
    await access(program, constants.X_OK);
    await Promise.all(modelFiles.map((file) => access(join(modelDir, file), constants.R_OK)));
    return { program, modelDir, libraryDirs: libraries };
  } catch {
    return null;
  }
}

/** usr/lib/<triplet>, and the folders in which Debian keeps the alternatives of BLAS and LAPACK. */
async function libraryDirs(lib: string): Promise<string[]> {
  const triplets = await readdir(lib).catch(() => []);
  return triplets.flatMap((name) => ['', 'blas', 'lapack'].map((part) => join(lib, name, part)));
}
