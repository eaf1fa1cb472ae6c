/** Season files as text: YAML in, with the line of everything that is wrong; YAML out, without defaults. */
import { Document, Scalar, visit } from 'yaml';
import type { z } from 'zod';
import type { Season, SeasonBattlePass, SeasonLevel } from '../contract/gameplay/season.js';
import {
  SeasonFile,
  SeasonFileBattlePass,
  SeasonFileCategory,
  SeasonFileChallenge,
  SeasonFileLeaderboard,
  SeasonFileLevel,
  SeasonFileLevelChallenge,
} from '../contract/gameplay/season-file.js';
import { SeasonState } from '../contract/gameplay/season-routes.js';
import { harmlessLines } from '../text/printable.js';
import { type FileText, readFileText } from './file-text.js';

/** Reads a season file, or what `gameplay export --json` prints. Throws FileUnreadable. */
export function readSeason(text: string): FileText<SeasonFile> {
  const season = seasonOfAnswer(text);
  return readFileText(season === null ? text : writeSeason(season), SeasonFile);
}

/** The season in an answer of the API; null: the text is none. */
function seasonOfAnswer(text: string): Season | null {
  if (!/^\s*\{\s*"season"/.test(text)) return null;
  try {
    return SeasonState.safeParse(JSON.parse(text)).data?.season ?? null;
  } catch {
    return null;
  }
}

/** True if the value is the one that a file means by leaving the field out. */
function isMeant(field: unknown, value: unknown): boolean {
  const judged = (field as z.ZodType).safeParse(undefined);
  return judged.success && JSON.stringify(judged.data ?? null) === JSON.stringify(value);
}

/** A bare text is English, without space around it. */
const asTyped = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const [[language, text] = [], another] = Object.entries(value);
  const isBare = language === 'en' && another === undefined && typeof text === 'string' && text.trim() === text;
  return isBare ? text : value;
};

/** Without what a file may leave out. */
const sparse = (schema: z.ZodObject, value: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(value)
      .filter(([name, one]) => one !== null && !isMeant(schema.shape[name], one))
      .map(([name, one]) => [name, asTyped(one)]),
  );

function sparseLevels(levels: readonly SeasonLevel[]) {
  return levels.map(({ position, challenges, ...level }, index) => {
    const expected = (levels[index - 1]?.position ?? 0) + 1;
    return {
      ...sparse(SeasonFileLevel, level),
      ...(position === expected ? {} : { position }),
      ...stated(
        'challenges',
        challenges.map((one) => sparse(SeasonFileLevelChallenge, one)),
      ),
    };
  });
}

const sparsePass = ({ levels, ...pass }: SeasonBattlePass) => ({
  ...sparse(SeasonFileBattlePass, pass),
  ...stated('levels', sparseLevels(levels)),
});

const stated = (name: string, list: readonly unknown[]) => (list.length === 0 ? {} : { [name]: list });

/** Words and numbers of YAML 1.1 that are texts in YAML 1.2: many tools still read `no`, `1:30` and `0o7` as no text. */
const yaml11 = [
  /^(?:y|n|yes|no|on|off|true|false|null|~|=|<<)$/i,
  /^[-+]?(?:0b[01_]+|0o[0-7_]+|0x[\da-f_]+|\.(?:inf|nan))$/i,
  /^[-+]?(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:e[-+]?\d+)?$/i,
  /^[-+]?\d[\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?$/,
  /^\d{4}-\d{1,2}-\d{1,2}(?:[Tt\s].*)?$/,
] as const;
const isOtherInYaml11 = (text: string): boolean => yaml11.some((shape) => shape.test(text));

/** The file of a season; reading it again gives the same season. */
export function writeSeason({ categories, challenges, battlePasses, leaderboards }: Season): string {
  const listed = categories.map(({ position, ...one }, index) => ({
    ...sparse(SeasonFileCategory, one),
    ...(position === index ? {} : { position }),
  }));
  const file = {
    ...stated('categories', listed),
    ...stated(
      'challenges',
      challenges.map((one) => sparse(SeasonFileChallenge, one)),
    ),
    ...stated('battlePasses', battlePasses.map(sparsePass)),
    ...stated(
      'leaderboards',
      leaderboards.map((one) => sparse(SeasonFileLeaderboard, one)),
    ),
  };
  const document = new Document(file, { aliasDuplicateObjects: false });
  // Between double quotes YAML knows the escapes that keep control characters from a terminal.
  visit(document, {
    Scalar: (_, node) => {
      if (typeof node.value !== 'string') return;
      if (isOtherInYaml11(node.value) || harmlessLines(node.value) !== node.value) node.type = Scalar.QUOTE_DOUBLE;
    },
  });
  return harmlessLines(document.toString({ lineWidth: 0 }));
}
