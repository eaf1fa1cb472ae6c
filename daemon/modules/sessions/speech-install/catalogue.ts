/** Models that `earshotd speech install NAME` knows. */
import { whisperLanguages } from '../recognisers/model-languages.js';
import type { ListedModel } from './listed-model.js';
import { type NpmModel, npmModels } from './npm-models.js';

/**
 * An archive of k2-fsa's release page. Sizes and checksums were looked up in public programs that pin these archives, not
 * measured here: those of streaming models on 2026-11-27, the others on 2026-11-26. A checksum that was not found is null,
 * and the one of the first fetch is recorded. None of these archives has been run here; the weights of
 * Whisper tiny.en and base have, from elsewhere (test/peers/whisper). The share of wrong words is what
 * the README of github.com/usefulsensors/moonshine stated on 2026-11-26 for models before they were quantised.
 */
interface ArchiveModel extends ListedModel {
  /** File of the release page. */
  readonly archive: string;
  /** Hex; null: not found. */
  readonly sha256: string | null;
}

export type CatalogueModel = ArchiveModel | NpmModel;

/** Name of the folder that a model is installed into. */
export const folderOf = (model: CatalogueModel): string =>
  'archive' in model ? model.archive.replace(/\.tar\.bz2$/, '') : model.name;

/** Codes of the languages that a model knows. */
export const languageCodes = ({ languages }: ListedModel): readonly string[] =>
  languages === 'many' ? whisperLanguages : languages;

/** Says how good the model in a folder of this name is, and which command finds a better one. */
export function worthOf(folder: string): string {
  const model = catalogue.find((one) => folderOf(one) === folder);
  const compare = '`earshotd speech recommend` compares models';
  if (model === undefined) return `not of the list; ${compare}`;
  const { languages, wrongWords } = model;
  const isEnglish = languages !== 'many' && languages.every((code) => code === 'en');
  const known =
    languages === 'many' ? 'about 100 languages' : isEnglish ? 'English alone' : `knows ${languages.join(', ')}`;
  const wrong = wrongWords === null ? 'accuracy not stated' : `${wrongWords} % of English words wrong by its authors`;
  const others = isEnglish ? '; other languages: `earshotd speech install whisper-base`' : '';
  return `${known}, ${wrong}${others}; ${compare}`;
}

export const releasePage = 'https://github.com/k2-fsa/sherpa-onnx/releases/download/asr-models';

/** Languages of Parakeet v3. */
const european = 'bg hr cs da nl en et fi fr de el hu it lv lt mt pl pt ro sk sl es sv ru uk'.split(' ');
const mit = { licence: 'MIT' } as const;

const archiveModels: readonly ArchiveModel[] = [
  {
    ...{ name: 'parakeet-v2', archive: 'sherpa-onnx-nemo-parakeet-tdt-0.6b-v2-int8.tar.bz2', bytes: 482_468_385 },
    ...{ sha256: null, licence: 'CC-BY-4.0', languages: ['en'], speed: 'medium', wrongWords: null },
  },
  {
    ...{ name: 'parakeet-v3', archive: 'sherpa-onnx-nemo-parakeet-tdt-0.6b-v3-int8.tar.bz2', bytes: 487_170_055 },
    sha256: '5793d0fd397c5778d2cf2126994d58e9d56b1be7c04d13c7a15bb1b4eafb16bf',
    ...{ licence: 'CC-BY-4.0', languages: european, speed: 'medium', wrongWords: null },
  },
  {
    ...{
      name: 'sense-voice',
      archive: 'sherpa-onnx-sense-voice-zh-en-ja-ko-yue-int8-2024-07-17.tar.bz2',
      bytes: 163_002_883,
    },
    sha256: '7d1efa2138a65b0b488df37f8b89e3d91a60676e416f515b952358d83dfd347e',
    ...{
      licence: 'FunASR Model License 1.1',
      languages: ['zh', 'en', 'ja', 'ko', 'yue'],
      speed: 'fast',
      wrongWords: null,
    },
  },
  {
    ...{ name: 'whisper-tiny', archive: 'sherpa-onnx-whisper-tiny.tar.bz2', bytes: 116_204_861 },
    sha256: 'c46116994e539aa165266d96b325252728429c12535eb9d8b6a2b10f129e66b1',
    ...{ ...mit, languages: 'many', speed: 'fast', wrongWords: null },
  },
  {
    ...{ name: 'whisper-tiny.en', archive: 'sherpa-onnx-whisper-tiny.en.tar.bz2', bytes: 118_071_777, sha256: null },
    ...{ ...mit, languages: ['en'], speed: 'fast', wrongWords: 12.81 },
  },
  {
    ...{ name: 'whisper-base', archive: 'sherpa-onnx-whisper-base.tar.bz2', bytes: 207_557_382 },
    sha256: '911b2083efd7c0dca2ac3b358b75222660dc09fb716d64fbfc417ba6c99ff3de',
    ...{ ...mit, languages: 'many', speed: 'medium', wrongWords: null },
  },
  {
    ...{ name: 'whisper-small', archive: 'sherpa-onnx-whisper-small.tar.bz2', bytes: 639_387_718 },
    sha256: '486a46afbb7ba798507190ffe02fea2dd726049af212e774537efac6afb210a6',
    ...{ ...mit, languages: 'many', speed: 'slow', wrongWords: null },
  },
  {
    ...{ name: 'whisper-turbo', archive: 'sherpa-onnx-whisper-turbo.tar.bz2', bytes: 563_790_207, sha256: null },
    ...{ ...mit, languages: 'many', speed: 'slow', wrongWords: null },
  },
  {
    // The size is rounded to megabytes. Sources disagree on the licence of the weights.
    ...{ name: 'kroko-de', archive: 'sherpa-onnx-streaming-zipformer-de-kroko-2025-08-06.tar.bz2', bytes: 54_900_000 },
    ...{ sha256: null, licence: 'not stated', languages: ['de'], speed: 'fast', wrongWords: null, isStreaming: true },
  },
  {
    ...{ name: 'zipformer-streaming', archive: 'sherpa-onnx-streaming-zipformer-en-2023-06-26.tar.bz2' },
    ...{ bytes: 310_414_022, sha256: '639e25b578e9e997131402199419c13a941f8e4e198e2da1ce57dbf5cf401282' },
    ...{ licence: 'Apache-2.0', languages: ['en'], speed: 'fast', wrongWords: null, isStreaming: true },
  },
  {
    ...{ name: 'zipformer-streaming-small', archive: 'sherpa-onnx-streaming-zipformer-en-20M-2023-02-17.tar.bz2' },
    ...{ bytes: 127_887_156, sha256: '9c559283e8498d3fe95913c79ca1cb454bb26281ac2b102b41306c7d752765d9' },
    ...{ licence: 'not stated', languages: ['en'], speed: 'fast', wrongWords: null, isStreaming: true },
  },
  {
    // The size is of a program that states it in megabytes.
    ...{ name: 'zipformer-small', archive: 'sherpa-onnx-zipformer-small-en-2023-06-26.tar.bz2', bytes: 107_000_000 },
    ...{ sha256: null, licence: 'not stated', languages: ['en'], speed: 'fast', wrongWords: null },
  },
];

export const catalogue: readonly CatalogueModel[] = [...npmModels, ...archiveModels];
