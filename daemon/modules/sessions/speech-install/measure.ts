/** Measures how fast a recogniser is on this machine. */
import { basename } from 'node:path';
import { languagesKnownBy } from '../recognisers/model-languages.js';
import { PocketsphinxTranscriber } from '../recognisers/pocketsphinx.js';
import { decoderCount } from '../recognisers/select.js';
import { SherpaTranscriber } from '../recognisers/sherpa.js';
import { sampleRate, type Transcriber } from '../recognisers/transcriber.js';
import { catalogue, folderOf, languageCodes } from './catalogue.js';
import { installedModels } from './places.js';

const segmentSeconds = 4;
/** Pitch of the voice and the formants of its vowels, Hz. */
const pitchHz = 120;
const vowels = [
  [730, 1_090],
  [270, 2_290],
  [300, 870],
] as const;
const syllablesPerSecond = 4;
const peak = 6_000;

export interface RecogniserSpeed {
  /** Seconds of work for a second of speech. */
  readonly realTimeFactor: number;
  /** People who can speak at the same time without a growing queue. */
  readonly speakers: number;
}

interface InstalledRecogniser {
  readonly name: string;
  readonly transcriber: Transcriber;
  /** Codes without a region; null: nobody says. */
  readonly languages: readonly string[] | null;
}

/** Returns pocketsphinx and every installed model, none of them started. */
export async function installedRecognisers(speechDirs: readonly string[]): Promise<InstalledRecogniser[]> {
  const threads = decoderCount();
  const pocketsphinx = new PocketsphinxTranscriber({ speechDirs, decoders: threads });
  const found: InstalledRecogniser[] = [{ name: 'pocketsphinx', transcriber: pocketsphinx, languages: ['en'] }];
  for (const modelDir of await installedModels(speechDirs)) {
    const name = basename(modelDir);
    const listed = catalogue.find((model) => folderOf(model) === name);
    const languages = listed === undefined ? await languagesKnownBy(modelDir) : languageCodes(listed);
    found.push({ name, languages, transcriber: new SherpaTranscriber({ modelDir, threads }) });
  }
  return found;
}

/** Has a started recogniser work for about so many seconds, with as many segments at once as it takes. */
export async function measureSpeed(transcriber: Transcriber, seconds: number): Promise<RecogniserSpeed> {
  const pcm = vowelSounds();
  const signal = AbortSignal.timeout((seconds + 60) * 1_000);
  const beganAt = performance.now();
  const isOver = () => performance.now() - beganAt >= seconds * 1_000;
  let segments = 0;
  const lane = async () => {
    do {
      await transcriber.transcribe(pcm, { signal });
      segments++;
    } while (!isOver());
  };
  await Promise.all(Array.from({ length: transcriber.concurrency }, lane));
  const workSeconds = (performance.now() - beganAt) / 1_000;
  const spokenSeconds = segments * segmentSeconds;
  return {
    realTimeFactor: (workSeconds * transcriber.concurrency) / spokenSeconds,
    speakers: Math.floor(spokenSeconds / workSeconds),
  };
}

/** Four seconds of syllables. Recognisers take about as long for them as for words. */
function vowelSounds(): Int16Array {
  return Int16Array.from({ length: segmentSeconds * sampleRate }, (_, index) => {
    const seconds = index / sampleRate;
    const syllable = Math.floor(seconds * syllablesPerSecond);
    const [low, high] = vowels[syllable % vowels.length] ?? vowels[0];
    const loudness = Math.max(0, Math.sin(Math.PI * ((seconds * syllablesPerSecond) % 1)));
    const wave = (hz: number) => Math.sin(2 * Math.PI * Math.round(hz / pitchHz) * pitchHz * seconds);
    return Math.round(peak * loudness * (0.5 * wave(pitchHz) + 0.3 * wave(low) + 0.2 * wave(high)));
  });
}
