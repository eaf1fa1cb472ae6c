/**
 * All terminal output of both programs goes through here. It may contain what others wrote (names, messages, reasons):
 * control characters are shown as escapes and never reach the terminal.
 */
import { once } from 'node:events';
import { inspect } from 'node:util';
import { harmlessLines } from '../text/printable.js';
import { prose } from './columns.js';

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan' | 'white';

// Our own colours pass through text as marks that nobody else can write: their key is new in each process. It is made
// with the first colour, because most commands show none, and node:crypto takes its time to load.
let key: string | null = null;
const [markBegin, markEnd] = ['\ufdd0', '\ufdd1'];
const mark = (code: number | undefined): string => {
  key ??= process.getBuiltinModule('node:crypto').randomUUID();
  return `${markBegin}${key}:${code}${markEnd}`;
};

/** The text in a colour, once it is printed. */
export const styled = (style: Style, text: string): string => {
  const [on, off] = inspect.colors[style] ?? [];
  return `${mark(on)}${text}${mark(off)}`;
};

/** True unless NO_COLOR (no-color.org: empty is unset) or TERM=dumb says otherwise. */
export const wantsColours = (): boolean => (process.env.NO_COLOR ?? '') === '' && process.env.TERM !== 'dumb';

const showsColours = ({ isTTY }: NodeJS.WriteStream): boolean => isTTY === true && wantsColours();

/** Made safe for a terminal; without colours for a pipe or with NO_COLOR. */
export function rendered(text: string, stream: NodeJS.WriteStream = process.stdout): string {
  const harmless = harmlessLines(text);
  if (key === null) return harmless;
  const marks = new RegExp(`${markBegin}${key}:(\\d+)${markEnd}`, 'g');
  return harmless.replaceAll(marks, showsColours(stream) ? '\u001b[$1m' : '');
}

/** Prints lines of results. */
export const print = (text: string): void => void process.stdout.write(`${rendered(text)}\n`);

/**
 * Prints data: into a pipe or a file exactly as it is, on a terminal made safe. Resolves once there is room for more, so
 * that a slow reader slows the writer down.
 */
export async function printData(text: string): Promise<void> {
  if (text === '' || process.stdout.write(process.stdout.isTTY === true ? rendered(text) : text)) return;
  await once(process.stdout, 'drain');
}

/** Prints lines of everything that is not the result. */
export function printError(text: string): void {
  const { isTTY, columns } = process.stderr;
  const shown = rendered(text, process.stderr);
  process.stderr.write(`${isTTY === true && columns > 0 ? prose(shown, columns) : shown}\n`);
}

/** Prints a line for programs on stderr: made safe for a terminal, and never broken. */
export const printErrorData = (text: string): void => void process.stderr.write(rendered(text, process.stderr));

/** Overwrites the current line of stderr. */
export const overwrite = (text: string): void => void process.stderr.write(`\r${rendered(text, process.stderr)}`);
