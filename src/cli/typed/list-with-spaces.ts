/** Answers a list whose items are separated by spaces: `--events a b`. */
import { UsageError } from '../../terminal/usage-error.js';
import { harmless } from '../../text/printable.js';

/** null: the error is about something else than arguments that are too many, or no list was typed before them. */
export function listWithSpaces(
  error: unknown,
  flags: Readonly<Record<string, unknown>>,
  argv: readonly string[],
): UsageError | null {
  const extra: unknown = error instanceof Error ? Reflect.get(error, 'args') : undefined;
  if (!Array.isArray(extra) || extra.length === 0 || !extra.every((one) => typeof one === 'string')) return null;
  const name = Object.keys(flags).find((flag) => isList(flags[flag]) && argv.includes(`--${flag}`));
  if (name === undefined) return null;
  const first = argv[argv.indexOf(`--${name}`) + 1] ?? '';
  return new UsageError(
    `Unexpected argument: ${harmless(extra.join(' '))}. Lists are separated by commas: --${name} ${harmless([first, ...extra].join(','))}`,
  );
}

const isList = (flag: unknown): boolean =>
  typeof flag === 'object' && flag !== null && Reflect.get(flag, 'multiple') === true;
