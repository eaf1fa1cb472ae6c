/** Season files as text: YAML in, with the line of everything that is wrong; YAML out, without what goes without saying. */
import {
  Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  Scalar,
  visit,
  type YAMLMap,
} from 'yaml';
import type { z } from 'zod';
import type { Season, SeasonBattlePass, SeasonLevel } from './contract/gameplay/season.js';
import {
  SeasonFile,
  SeasonFileBattlePass,
  SeasonFileCategory,
  SeasonFileChallenge,
  SeasonFileLeaderboard,
  SeasonFileLevel,
  SeasonFileLevelChallenge,
} from './contract/gameplay/season-file.js';
import { harmlessLines } from './printable.js';

const seasonBytesMax = 8 * 1024 * 1024;
/** An anchor may be used this often in all; more is an attempt to blow the file up. */
const aliasesMax = 10_000;
const problemsMax = 50;

interface SeasonProblem {
  /** From 1. */
  readonly line: number;
  readonly column: number;
  /** Such as `challenges.first-blood.goal`; empty: the file as a whole. */
  readonly field: string;
  readonly message: string;
}

/** A file that is not a season, with every reason and where it stands. */
export class SeasonUnreadable extends Error {
  override readonly name = 'SeasonUnreadable';

  constructor(readonly problems: readonly SeasonProblem[]) {
    super(problems.map(problemLine).join('\n'));
  }
}

/** `12:5 challenges.first-blood.goal: is required` */
export const problemLine = ({ line, column, field, message }: SeasonProblem): string =>
  `${line}:${column} ${field === '' ? '' : `${field}: `}${message}`;

/** A file that was read. */
export interface SeasonText {
  readonly file: SeasonFile;
  /** Where a field stands, by its path: `['challenges', 3, 'goal']`. */
  readonly problemAt: (path: readonly PropertyKey[], message: string) => SeasonProblem;
}

/** Throws SeasonUnreadable. */
export function readSeason(text: string): SeasonText {
  const lines = new LineCounter();
  const refused = (at: number, message: string) => {
    const { line, col: column } = lines.linePos(at);
    return { line: Math.max(1, line), column: Math.max(1, column), field: '', message };
  };
  if (text.length > seasonBytesMax) throw new SeasonUnreadable([refused(0, 'the file is larger than 8 MiB')]);
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, merge: true });
  if (document.errors.length > 0)
    throw new SeasonUnreadable(document.errors.slice(0, problemsMax).map((one) => refused(one.pos[0], one.message)));
  const problemAt = (path: readonly PropertyKey[], message: string): SeasonProblem => {
    const { offset, field } = locate(document.contents, path, (node) =>
      isAlias(node) ? node.resolve(document) : node,
    );
    return { ...refused(offset, message), field };
  };
  const judged = SeasonFile.safeParse(plain(() => document.toJS({ maxAliasCount: aliasesMax }) ?? {}));
  if (judged.success) return { file: judged.data, problemAt };
  const problems = judged.error.issues.flatMap(reasons).slice(0, problemsMax);
  throw new SeasonUnreadable(problems.map(({ path, message }) => problemAt(path, message)));

  function plain(make: () => unknown): unknown {
    try {
      return make();
    } catch (cause) {
      throw new SeasonUnreadable([refused(0, cause instanceof Error ? cause.message : String(cause))]);
    }
  }
}

interface Reason {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** Zod says what it got only in its sentence. */
const isMissing = ({ code, message }: z.core.$ZodIssue): boolean =>
  code === 'invalid_type' && message.endsWith('received undefined');

/** What a person can do something about: the field itself, and of a choice the branch that fits best. */
function reasons(issue: z.core.$ZodIssue): Reason[] {
  const { path } = issue;
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((name) => ({ path: [...path, name], message: 'there is no such field' }));
  if (issue.code === 'invalid_union') {
    const deeper = issue.errors.find((branch) =>
      branch.some((one) => one.code !== 'invalid_type' || one.path.length > 0),
    );
    if (deeper !== undefined)
      return deeper.flatMap((one) => reasons({ ...one, path: [...path, ...one.path] } as z.core.$ZodIssue));
    if (issue.errors.flat().every(isMissing)) return [{ path, message: 'is required' }];
    const kinds = issue.errors.flat().map((one) => (one.code === 'invalid_type' ? one.expected : ''));
    return [{ path, message: `must be ${[...new Set(kinds)].filter((kind) => kind !== '').join(' or ')}` }];
  }
  if (isMissing(issue)) return [{ path, message: 'is required' }];
  return [{ path, message: issue.message }];
}

type Resolve = (node: unknown) => unknown;

const pairOf = (map: YAMLMap, name: PropertyKey) =>
  map.items.find(({ key }) => (isScalar(key) ? String(key.value) : String(key)) === String(name));

const startOf = (node: unknown): number | undefined => (node as Node | null | undefined)?.range?.[0];

/** As far down the path as the file goes; the field is written with keys in place of numbers. */
function locate(root: unknown, path: readonly PropertyKey[], resolve: Resolve): { offset: number; field: string } {
  let [node, offset] = [resolve(root), startOf(root) ?? 0];
  const names: string[] = [];
  for (const segment of path) {
    if (isSeq(node)) {
      const item = resolve(node.items[Number(segment)]);
      const key = isMap(item) ? item.get('key') : undefined;
      names.push(typeof key === 'string' ? key : String(segment));
      offset = startOf(node.items[Number(segment)]) ?? offset;
      node = item;
      continue;
    }
    names.push(String(segment));
    const pair = isMap(node) ? pairOf(node, segment) : undefined;
    offset = startOf(pair?.key) ?? offset;
    node = resolve(pair?.value);
  }
  return { offset, field: names.join('.') };
}

/** What a file that says nothing about a field means. */
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
      if (typeof node.value === 'string' && harmlessLines(node.value) !== node.value) node.type = Scalar.QUOTE_DOUBLE;
    },
  });
  return harmlessLines(document.toString({ lineWidth: 0 }));
}
