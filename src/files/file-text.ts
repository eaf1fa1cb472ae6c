/** YAML and JSON files that people write, read with the line and column of everything that is wrong. */

import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, type YAMLMap } from 'yaml';
import type { z } from 'zod';
import { judge, type Problem } from '../contract/judge.js';

const bytesMax = 8 * 1024 * 1024;
/** An anchor may be used this often in all; more is an attempt to blow the file up. */
const aliasesMax = 10_000;
const problemsMax = 50;

interface FileProblem {
  /** Line number, from 1. */
  readonly line: number;
  readonly column: number;
  /** For example `challenges.first-blood.goal`; empty: the file as a whole. */
  readonly field: string;
  readonly message: string;
}

/** A file that is not what it should be, with every reason and where it stands. */
export class FileUnreadable extends Error {
  override readonly name = 'FileUnreadable';

  constructor(readonly problems: readonly FileProblem[]) {
    super(problems.map(problemLine).join('\n'));
  }
}

/** `12:5 challenges.first-blood.goal: is required` */
export const problemLine = ({ line, column, field, message }: FileProblem): string =>
  `${line}:${column} ${field === '' ? '' : `${field}: `}${message}`;

/** A file that was read. */
export interface FileText<T> {
  readonly file: T;
  /** Returns a problem at a field, by its path: `['challenges', 3, 'goal']`. */
  readonly problemAt: (path: readonly PropertyKey[], message: string) => FileProblem;
}

/** Makes what people may write out of what the schema takes, and says what it does not understand. */
type Prepare = (schema: z.ZodType, written: unknown) => { value: unknown; problems: readonly Problem[] };

/** Throws FileUnreadable. */
export function readFileText<S extends z.ZodType>(
  text: string,
  schema: S,
  prepare: Prepare = (_, value) => ({ value, problems: [] }),
): FileText<z.output<S>> {
  const lines = new LineCounter();
  const refused = (at: number, message: string) => {
    const { line, col: column } = lines.linePos(at);
    return { line: Math.max(1, line), column: Math.max(1, column), field: '', message };
  };
  if (text.length > bytesMax) throw new FileUnreadable([refused(0, 'the file is larger than 8 MiB')]);
  // Without warnings of the library on standard error: the schema names what does not fit.
  const document = plain(() =>
    parseDocument(text, { lineCounter: lines, prettyErrors: false, merge: true, logLevel: 'error' }),
  );
  if (document.errors.length > 0)
    throw new FileUnreadable(
      document.errors.slice(0, problemsMax).map((one) => refused(one.pos[0], inWords(one.message))),
    );
  const problemAt = (path: readonly PropertyKey[], message: string): FileProblem => {
    const { offset, field } = locate(document.contents, path, (node) =>
      isAlias(node) ? node.resolve(document) : node,
    );
    return { ...refused(offset, message), field };
  };
  const unreadable = (problems: readonly Problem[]) =>
    new FileUnreadable(problems.slice(0, problemsMax).map(({ path, message }) => problemAt(path, message)));
  const written = prepare(
    schema,
    plain(() => document.toJS({ maxAliasCount: aliasesMax }) ?? {}),
  );
  if (written.problems.length > 0) throw unreadable(written.problems);
  const judged = judge(schema, written.value);
  if (judged.success) return { file: judged.data, problemAt };
  throw unreadable(judged.problems);

  function plain<T>(make: () => T): T {
    try {
      return make();
    } catch (cause) {
      throw new FileUnreadable([refused(0, cause instanceof Error ? inWords(cause.message) : String(cause))]);
    }
  }
}

/** The parser calls itself for each level of a file, until Node.js has no stack left. */
const inWords = (message: string): string =>
  message === 'Maximum call stack size exceeded' ? 'the file is nested too deeply to be read' : message;

type ResolveNode = (node: unknown) => unknown;

const pairOf = (map: YAMLMap, name: PropertyKey) =>
  map.items.find(({ key }) => (isScalar(key) ? String(key.value) : String(key)) === String(name));

const startOf = (node: unknown): number | undefined => (node as Node | null | undefined)?.range?.[0];

/** Follows the path as far as the file goes; the field is written with keys instead of indexes. */
function locate(root: unknown, path: readonly PropertyKey[], resolve: ResolveNode): { offset: number; field: string } {
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
