/** Grammar of the command line as `bin/completion.mjs` has written it, and the part of it at the cursor. */
import { ownValue } from '../../names/own-value.js';

/** Something that is typed: one of these words, or the name of one of a kind. */
interface WordShape {
  readonly options?: readonly string[];
  /** `Kind` of names/kinds.ts, or `room`, `template`, `batch`, `profile`. */
  readonly kind?: string;
}
interface FlagShape extends WordShape {
  /** false: it stands alone. */
  readonly value: boolean;
  readonly char?: string;
}
interface CommandShape {
  readonly args: readonly WordShape[];
  readonly flags: Readonly<Record<string, FlagShape>>;
}
/** Shapes by the words of their command. */
export type Shape = Readonly<Record<string, CommandShape>>;

interface AtCursor {
  /** Text before the candidates in the same word, such as `--user=`. */
  readonly before: string;
  readonly typed: string;
  readonly options: readonly string[];
  readonly kind: string | null;
  /** Flags of the line that say where names are looked up, as they were typed. */
  readonly common: Readonly<Record<string, string>>;
}

const commonFlags = ['url', 'profile', 'project'];

export function atCursor(shape: Shape, words: readonly string[]): AtCursor {
  const typed = words.at(-1) ?? '';
  const earlier = words.slice(0, -1);
  const name = commandIn(shape, earlier);
  const command = name === null ? undefined : ownValue(shape, name);
  const nothing = { before: '', typed, options: [], kind: null, common: {} };
  const next = nextWords(shape, earlier);
  if (command === undefined) return { ...nothing, options: next };

  const given = argumentsIn(command, earlier.slice(name?.split(' ').length ?? 0));
  const from = { ...nothing, common: given.common };
  const inOne = /^(--[\w-]+=)(.*)$/s.exec(typed);
  if (inOne !== null) {
    const [, before = '', value = ''] = inOne;
    const flag = ownValue(command.flags, before.slice(2, -1));
    return flag?.value === true ? { ...from, before, typed: value, ...meant(flag) } : from;
  }
  if (given.open !== null) return { ...from, ...meant(given.open) };
  if (typed.startsWith('-')) return { ...from, options: Object.keys(command.flags).map((flag) => `--${flag}`) };
  const { options, kind } = meant(command.args[given.count]);
  return { ...from, options: given.count === 0 ? [...next, ...options] : options, kind };
}

const meant = (word: WordShape | undefined) => ({ options: word?.options ?? [], kind: word?.kind ?? null });

/** The longest command that the words begin with. */
function commandIn(shape: Shape, words: readonly string[]): string | null {
  for (let count = words.length; count > 0; count--) {
    const name = words.slice(0, count).join(' ');
    if (Object.hasOwn(shape, name)) return name;
  }
  return null;
}

/** Words with which a command goes on. */
function nextWords(shape: Shape, words: readonly string[]): string[] {
  const found = Object.keys(shape).flatMap((name) => {
    const parts = name.split(' ');
    const next = parts[words.length];
    return next !== undefined && words.every((word, at) => parts[at] === word) ? [next] : [];
  });
  return [...new Set(found)];
}

/** Counts the arguments typed so far, and names the flag whose value comes next. */
function argumentsIn({ flags }: CommandShape, words: readonly string[]) {
  const common: Record<string, string> = {};
  let count = 0;
  let open: { readonly name: string; readonly flag: FlagShape } | null = null;
  for (const word of words) {
    if (open !== null) {
      if (commonFlags.includes(open.name)) common[open.name] = word;
      open = null;
      continue;
    }
    const [, long, value] = /^--([\w-]+)(?:=(.*))?$/s.exec(word) ?? [];
    const short = /^-(\w)$/.exec(word)?.[1];
    const name = long ?? Object.keys(flags).find((one) => short !== undefined && flags[one]?.char === short);
    const flag = name === undefined ? undefined : ownValue(flags, name);
    if (name !== undefined && value !== undefined && commonFlags.includes(name)) common[name] = value;
    if (flag?.value === true && value === undefined && name !== undefined) open = { name, flag };
    else if (!word.startsWith('-')) count += 1;
  }
  return { count, open: open?.flag ?? null, common };
}
