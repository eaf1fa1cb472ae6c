/** `earshotd speech list|recommend`: models that can be installed, and how fast those are that were. */
import { basename, resolve } from 'node:path';
import { withoutRegion } from '../../src/contract/language.js';
import { didYouMean, nearest } from '../../src/contract/nearest.js';
import { print, printError } from '../../src/terminal/terminal.js';
import { UsageError } from '../../src/terminal/usage-error.js';
import { harmless } from '../../src/text/printable.js';
import {
  type CatalogueModel,
  catalogue,
  folderOf,
  languageCodes,
} from '../modules/sessions/speech-install/catalogue.js';
import { installedRecognisers, measureSpeed } from '../modules/sessions/speech-install/measure.js';
import { installedModels } from '../modules/sessions/speech-install/places.js';
import { speechDirsOf } from '../modules/sessions/speech-settings.js';
import { loadSettings } from '../platform/config/load.js';
import type { SettingOptions } from './setting-options.js';

export interface ListOptions extends SettingOptions {
  readonly json?: boolean;
}

export interface RecommendOptions extends SettingOptions {
  readonly language?: string;
}

const measuredSeconds = 10;

export async function listModels(options: ListOptions): Promise<void> {
  const installed = new Set((await installedModels(speechDirs(options))).map((folder) => basename(folder)));
  const models = catalogue.map((model) => ({ ...model, installed: installed.has(folderOf(model)) }));
  if (options.json === true) return print(JSON.stringify(models, null, 2));
  const rows = models.map(({ name, languages, bytes, speed, isStreaming, wrongWords, licence, installed: isHere }) => [
    ...[name, languagesOf(languages), `${Math.round(bytes / 1_000_000)} MB`],
    isStreaming === true ? `${speed}, streaming` : speed,
    ...[wrongWords === null ? '' : `${wrongWords} %`, licence, isHere ? 'installed' : ''],
  ]);
  printTable(['NAME', 'LANGUAGES', 'SIZE', 'SPEED', 'WRONG WORDS', 'LICENCE', ''], rows);
  print('');
  print('Wrong words: in English, by the README of github.com/usefulsensors/moonshine (2026-11-26).');
  print('Streaming models write while somebody speaks; others decode what was said so far again and again.');
  print(
    '`npm run bench -- speech` measures those that are installed. pocketsphinx, which needs no model, gets about one in four wrong.',
  );
}

/** Prints the speed of each installed recogniser that knows the language, and which model to use. Throws UsageError. */
export async function recommend({ language: typed, ...options }: RecommendOptions): Promise<void> {
  const language = typed === undefined ? undefined : knownLanguage(typed);
  const all = await installedRecognisers(speechDirs(options));
  const recognisers = all.filter(({ languages }) => language === undefined || languages?.includes(language) === true);
  for (const { name, languages } of all)
    if (language !== undefined && languages === null)
      printError(`speech: ${name} does not say which languages it knows, and is left out.`);
  const rows: { name: string; isModel: boolean; speakers: number; factor: number }[] = [];
  for (const { name, transcriber } of recognisers) {
    try {
      await transcriber.start();
      const { realTimeFactor, speakers } = await measureSpeed(transcriber, measuredSeconds / recognisers.length);
      rows.push({ name: listedAs(name), isModel: name !== 'pocketsphinx', speakers, factor: realTimeFactor });
    } catch (error) {
      printError(`speech: ${name} does not work: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      await transcriber.stop();
    }
  }
  const shown = rows.map(({ name, speakers, factor }) => [name, String(speakers), factor.toFixed(3)]);
  if (shown.length > 0) printTable(['RECOGNISER', 'SPEAKERS AT ONCE', 'REAL-TIME FACTOR'], shown);
  const enough = rows.filter(({ isModel, speakers }) => isModel && speakers >= 1);
  const [best] = enough.sort((a, b) => b.speakers - a.speakers);
  print('');
  print(
    best === undefined
      ? `Install a model to compare: ${candidates(language).join(', ')} (\`earshotd speech list\`). pocketsphinx gets about one word in four wrong.`
      : `Recommended: ${best.name}, which keeps up with ${best.speakers} people who speak at the same time.`,
  );
}

const speechDirs = ({ config, set }: SettingOptions): string[] => {
  const { settings } = loadSettings({ flags: set, file: config });
  return speechDirsOf(settings, resolve(settings.EARSHOT_DATA_DIR));
};

const knows = (model: CatalogueModel, language: string): boolean => languageCodes(model).includes(language);

const englishNames = new Intl.DisplayNames('en', { type: 'language' });

/** Code without a region of a language that is typed by its code or its English name. Throws UsageError. */
function knownLanguage(typed: string): string {
  const codes = new Set(catalogue.flatMap((model) => languageCodes(model)));
  const names = new Map([...codes].map((code) => [englishNames.of(code)?.toLowerCase() ?? code, code]));
  const name = typed.toLowerCase();
  const code = names.get(name) ?? withoutRegion(name);
  if (codes.has(code)) return code;
  const near = nearest(name, [...names.keys(), ...codes]).map((one) => names.get(one) ?? one);
  const all = [...codes].toSorted().join(', ');
  throw new UsageError(`No model knows the language ${harmless(typed)}. ${didYouMean(near, `They know ${all}.`)}`);
}

/** Name in the list; of others, that of their folder. */
const listedAs = (folder: string): string => catalogue.find((one) => folderOf(one) === folder)?.name ?? folder;

/** Models to install, the fast ones first. */
const candidates = (language: string | undefined): string[] =>
  (['fast', 'medium', 'slow'] as const).flatMap((speed) =>
    catalogue
      .filter((model) => model.speed === speed && (language === undefined || knows(model, language)))
      .map(({ name }) => name),
  );

/** Up to five by name. */
const languagesOf = (languages: CatalogueModel['languages']): string =>
  languages === 'many' ? 'about 100' : languages.length > 5 ? `${languages.length} European` : languages.join(', ');

function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of [head, ...rows])
    print(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
}
