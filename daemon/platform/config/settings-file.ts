/** A file of settings: lines of NAME=value, or YAML where its name ends so. Says at which line each stands. */
import { parseEnv } from 'node:util';
import { isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';

/** The settings are unusable; the message lists each mistake with its name and what is allowed. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError';
}

export interface SettingsFile {
  readonly values: Readonly<Record<string, string>>;
  /** Such as `earshot.yaml, line 12`, by name. */
  readonly places: ReadonlyMap<string, string>;
  /** True where every name must be that of a setting; lines of NAME=value may be for other programs, too. */
  readonly isOurs: boolean;
}

/** Throws ConfigurationError. */
export const settingsIn = (path: string, text: string): SettingsFile =>
  /\.ya?ml$/i.test(path) ? ofYaml(path, text) : ofLines(path, text);

const place = (path: string, line: number): string => `${path}, line ${line}`;

function ofYaml(path: string, text: string): SettingsFile {
  const lines = new LineCounter();
  const { contents, errors } = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [error] = errors;
  const refuse = (offset: number, message: string) =>
    new ConfigurationError(`${place(path, lines.linePos(offset).line)}: ${message}`);
  if (error !== undefined) throw refuse(error.pos[0], error.message);
  const values: Record<string, string> = {};
  const places = new Map<string, string>();
  if (contents === null || (isScalar(contents) && contents.value === null)) return { values, places, isOurs: true };
  if (!isMap(contents)) throw refuse(contents.range?.[0] ?? 0, 'write a line `NAME: value` for each setting.');
  for (const { key, value } of contents.items) {
    const offset = isScalar(key) ? (key.range?.[0] ?? 0) : 0;
    const name = isScalar(key) ? (key.source ?? '') : '';
    const written = textOf(value);
    if (written === null) throw refuse(offset, `${name} is neither a value nor a list of values.`);
    values[name] = written;
    places.set(name, place(path, lines.linePos(offset).line));
  }
  return { values, places, isOurs: true };
}

/** A value as the environment has it: `0123` stays as it is written, lists have spaces between their values. */
function textOf(node: unknown): string | null {
  if (node === null) return '';
  if (isScalar(node)) return node.value === null ? '' : (node.source ?? String(node.value));
  if (isMap(node)) return JSON.stringify(node.toJSON());
  if (!isSeq(node)) return null;
  const items = node.items.map(textOf);
  return items.includes(null) ? null : items.join(' ');
}

/** A value without quotes, with a # that no space precedes: it would be cut there. */
const cutValue = /^\s*(?:export\s+)?(\w+)\s*=(?:#|\s*[^"'`\s#](?:[^#]*[^\s#])?#)/;

function ofLines(path: string, text: string): SettingsFile {
  const places = new Map<string, string>();
  for (const [index, line] of text.split('\n').entries()) {
    const cut = cutValue.exec(line)?.[1];
    if (cut !== undefined)
      throw new ConfigurationError(
        `${place(path, index + 1)}: ${cut} has a # in its value. Put the value in quotes, or a space before a comment.`,
      );
    const name = /^\s*(?:export\s+)?(\w+)\s*=/.exec(line)?.[1];
    if (name !== undefined) places.set(name, place(path, index + 1));
  }
  const values = Object.fromEntries(Object.entries(parseEnv(text)).map(([name, value]) => [name, value ?? '']));
  return { values, places, isOurs: false };
}
