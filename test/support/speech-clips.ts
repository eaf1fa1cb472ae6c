/**
 * Recorded speech and a recogniser for tests, both from Debian's archive by the product's own code, kept between runs
 * in test/.cache (about 45 MB). `speech` is null, and suites skip visibly, where apt does not exist or cannot fetch.
 */
import { symlinkSync } from 'node:fs';
import { access, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { frameMs, frameSamples } from '../../daemon/modules/sessions/bot/voice-activity.js';
import { sampleRate } from '../../daemon/modules/sessions/recognisers/transcriber.js';
import {
  fetchPackages,
  isDebian,
  packagesAvailable,
} from '../../daemon/modules/sessions/speech-install/debian-packages.js';
import { installSpeech } from '../../daemon/modules/sessions/speech-install/install.js';
import { wavFile } from '../../daemon/modules/sessions/wav.js';
import { type Recording, readWav } from '../../src/client/voice/wav-file.js';

const cacheDir = fileURLToPath(new URL('../.cache/', import.meta.url));
const clipPackage = 'pocketsphinx-testdata';

export interface SpeechForTests {
  /** A data folder with the recogniser unpacked in it. */
  dataDir: string;
  /** Folder with the unpacked recogniser. */
  speechDir: string;
  clipsDir: string;
}

/**
 * Fetches what is missing. Null, with the reason on stderr, when that is not possible. Test processes may do this at
 * the same time: each fetches into a folder of its own, and the first to be done moves it into place.
 */
export async function speechForTests(): Promise<SpeechForTests | null> {
  const folder = join(cacheDir, 'speech');
  if (!(await exists(folder))) {
    await mkdir(cacheDir, { recursive: true });
    const work = await mkdtemp(join(cacheDir, '.speech-'));
    const failure = await fetchAll(within(work), join(work, 'archives'));
    if (failure === null)
      await rename(work, folder).catch(() => {}); // another process was first
    else process.stderr.write(`Suites with recorded speech are skipped: ${failure}\n`);
    await rm(work, { recursive: true, force: true });
  }
  return (await exists(folder)) ? within(folder) : null;
}

const within = (folder: string): SpeechForTests => ({
  dataDir: join(folder, 'data'),
  speechDir: join(folder, 'data', 'speech'),
  clipsDir: join(folder, 'clips'),
});

/** Mono at 16 kHz. The recordings: `goforward` ("go forward ten meters"), `cards/001` ("ten of clubs") to `cards/005`. */
export async function clip({ clipsDir }: SpeechForTests, name: string): Promise<Int16Array> {
  const folder = join(clipsDir, 'usr/share/pocketsphinx/test/data');
  const raw = await readFile(join(folder, `${name}.raw`)).catch(() => null);
  if (raw !== null) return samplesOf(raw);
  const wav = await readFile(join(folder, `${name}.wav`));
  return samplesOf(wav.subarray(wav.indexOf('data') + 8));
}

/** Several pieces one after the other; a number is so many seconds of silence. */
export function joined(...pieces: (Int16Array | number)[]): Int16Array {
  const parts = pieces.map((piece) => (typeof piece === 'number' ? new Int16Array(piece * sampleRate) : piece));
  return Int16Array.from(parts.flatMap((part) => [...part]));
}

/** First and last moment, in ms, at which the recording is not quiet. */
export function loudPart(pcm: Int16Array): { startMs: number; endMs: number } {
  const energies = Array.from({ length: Math.floor(pcm.length / frameSamples) }, (_, index) =>
    pcm.subarray(index * frameSamples, (index + 1) * frameSamples).reduce((sum, sample) => sum + sample * sample, 0),
  );
  const limit = Math.max(...energies) / 200;
  return {
    startMs: energies.findIndex((e) => e > limit) * frameMs,
    endMs: (energies.findLastIndex((e) => e > limit) + 1) * frameMs,
  };
}

/** Samples as the client speaks them. */
export const recording = (pcm: Int16Array): Recording => readWav(wavFile(pcm, sampleRate));

function samplesOf(bytes: Buffer): Int16Array {
  return Int16Array.from({ length: bytes.length >> 1 }, (_, index) => bytes.readInt16LE(index * 2));
}

async function fetchAll({ speechDir, clipsDir }: SpeechForTests, archiveDir: string): Promise<string | null> {
  const engine = await installSpeech({ speechDir, path: '' }); // whatever this system has
  if (!engine.ok) return `${engine.reason} ${engine.remedy}`;
  if (!(await isDebian()) || !(await packagesAvailable([clipPackage], process.getuid?.() === 0))) {
    return `apt does not know ${clipPackage}.`;
  }
  await fetchPackages([clipPackage], { archiveDir, into: clipsDir });
  await rm(archiveDir, { recursive: true, force: true });
  return null;
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** A WAV file of clips, and of so many seconds of silence between them. */
export const spokenFile = (...pieces: Parameters<typeof joined>): Buffer => wavFile(joined(...pieces), sampleRate);

/** Lends a daemon the recogniser, where there is one: its data folder gets a link to it. */
export function lendSpeech(speech: SpeechForTests | null, dataDir: string): void {
  if (speech !== null) symlinkSync(join(speech.dataDir, 'speech'), join(dataDir, 'speech'));
}
