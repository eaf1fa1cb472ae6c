/**
 * All terminal output of both programs goes through here. It may contain what others wrote (names, messages, reasons):
 * control characters are shown as escapes and never reach the terminal.
 */
import { randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
import { harmlessLines } from '../printable.js';

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan' | 'white';

// Our own colours pass through text as marks that nobody else can write: their key is new in each process.
const [markBegin, markEnd] = [`\ufdd0${randomUUID()}:`, '\ufdd1'];
const marks = new RegExp(`${markBegin}(\\d+)${markEnd}`, 'g');
const mark = (code: number | undefined): string => `${markBegin}${code}${markEnd}`;

/** The text in a colour, once it is printed. */
export const styled = (style: Style, text: string): string => {
  const [on, off] = inspect.colors[style] ?? [];
  return `${mark(on)}${text}${mark(off)}`;
};

/** Made safe for a terminal. */
export const rendered = (text: string): string => harmlessLines(text).replaceAll(marks, '\u001b[$1m');

/** Prints lines of results. */
export const print = (text: string): void => void process.stdout.write(`${rendered(text)}\n`);

/** Prints lines of everything that is not the result. */
export const printError = (text: string): void => void process.stderr.write(`${rendered(text)}\n`);

/** Overwrites the current line of stderr. */
export const overwrite = (text: string): void => void process.stderr.write(`\r${rendered(text)}`);
