/** Runs one action for many names or requests, one in each line of a file or of standard input. */
import { type BadLine, type ListRow, type ListShape, listRows } from '../../files/list-rows.js';
import { UsageError } from '../../terminal/usage-error.js';
import { exitCodeOf, printFailure } from '../run.js';
import { nameOf, readText } from './read-text.js';
import { WrongLines } from './wrong-lines.js';

/** One of many: a name that was typed, or a row of a file. */
export interface One<T> {
  /** What it is called where it is refused. */
  readonly label: string;
  /** Throws UsageError for a row that cannot be read. */
  value(): T;
}

/** Reads a file, or standard input where the path is `-`. Throws UsageError for one that cannot be read as a whole. */
export async function rowsOfFile(path: string, shape: ListShape): Promise<One<ListRow['fields']>[]> {
  const content = await readText(path);
  const { read, rows, bad, isArray } = listRows(content, path, shape);
  if (rows.length === 0 && bad.length > 0 && bad.every(({ line }) => line === bad[0]?.line))
    throw new WrongLines(nameOf(path), bad, 'Nothing was done.');
  if (read === 0) return [];
  const lines = content.split('\n');
  const placeOf = ({ line }: ListRow | BadLine) => `${isArray ? 'row' : 'line'} ${line}`;
  const label = (one: ListRow | BadLine) => (isArray ? idIn(one, shape) : lines[one.line - 1]?.trim()) ?? placeOf(one);
  return [...rows, ...bad]
    .sort((a, b) => a.line - b.line)
    .map((one) => ({ label: label(one), value: () => fieldsOf(one, placeOf(one)) }));
}

/** Returns the first id, or else the first text, that a row of a JSON array states. */
function idIn(one: ListRow | BadLine, { ids, fields }: ListShape): string | undefined {
  const stated = 'fields' in one ? [...ids, ...Object.keys(fields)].map((name) => one.fields[name]) : [];
  return stated.find((id): id is string => typeof id === 'string');
}

function fieldsOf(one: ListRow | BadLine, place: string): ListRow['fields'] {
  if ('fields' in one) return one.fields;
  throw new UsageError(`${place}: ${one.field === '' ? '' : `${one.field}: `}${one.message}`);
}

/** Names as they were typed. */
export const typedNames = (names: readonly string[]): One<string>[] =>
  names.map((name) => ({ label: name, value: () => name }));

/**
 * Does the work for each. A refused one does not stop the others: it is printed on stderr, and the first refusal decides the
 * exit code.
 */
export async function forEach<S, T>(
  all: readonly One<S>[],
  work: (one: S) => Promise<T>,
  { json: isJson = false }: { readonly json?: boolean | undefined },
): Promise<T[]> {
  const done: T[] = [];
  for (const { label, value } of all) {
    try {
      done.push(await work(value()));
    } catch (error) {
      process.exitCode ??= exitCodeOf(error);
      printFailure(error, { isJson, of: label });
    }
  }
  return done;
}
