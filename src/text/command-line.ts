/** Command lines that are printed to be copied: whatever people and players have typed stays one value of it. */
import { shellWord } from './shell-word.js';

/** A flag without a value; or with one, and left out where that is undefined or empty. */
export type Flag = readonly [name: `-${string}`] | readonly [name: `-${string}`, value: string | undefined];

/** Words of the command and its arguments, and flags. */
type CommandPart = string | Flag;

export interface Command {
  readonly parts: readonly CommandPart[];
  /** True if it takes `--project`. */
  readonly inProject: boolean;
}

/** A command of `earshot` in a project. */
export const commandLine = (...parts: readonly CommandPart[]): Command => ({ parts, inProject: true });

/** A command of `earshot` that is in no project. */
export const accountLine = (...parts: readonly CommandPart[]): Command => ({ parts, inProject: false });

const flagWords = ([name, ...value]: Flag): readonly string[] => {
  if (value.length === 0) return [name];
  const [text] = value;
  if (text === undefined || text === '') return [];
  // Otherwise it would be taken for the next flag.
  return text.startsWith('-') ? [`${name}=${text}`] : [name, text];
};

/** The line as it is typed at a POSIX shell. Arguments that begin with a dash, and those after them, stand behind `--`. */
export function shellLine({ parts, inProject }: Command, project?: string): string {
  const words = parts.filter((part) => typeof part === 'string');
  const dashed = words.findIndex((word) => word.startsWith('-'));
  const [before, behind] = dashed < 0 ? [words, []] : [words.slice(0, dashed), words.slice(dashed)];
  const flags: Flag[] = [
    ...parts.filter((part) => typeof part !== 'string'),
    ...(inProject ? [['--project', project] as const] : []),
  ];
  return ['earshot', ...before, ...flags.flatMap(flagWords), ...(behind.length === 0 ? [] : ['--', ...behind])]
    .map(shellWord)
    .join(' ');
}
