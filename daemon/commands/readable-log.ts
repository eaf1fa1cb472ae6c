/** Log lines for people: time, level, sentence and fields, on a terminal; everywhere else a line is JSON. */
import type { DestinationStream } from 'pino';
import { z } from 'zod';
import { print, type Style, styled, wantsColours } from '../../src/terminal/terminal.js';

const Line = z.looseObject({ level: z.string(), time: z.string(), msg: z.string().optional() });

const colourOf: Readonly<Record<string, Style>> = { error: 'red', fatal: 'red', warn: 'yellow', info: 'green' };

/** Scripts wait for this line, so it is always JSON. */
const machineLine = 'listening';

/** A line as `pino` writes it, for a terminal. What is not understood stays as it is. */
export function readable(text: string, colours = true): string {
  const paint = (style: Style, plain: string) => (colours ? styled(style, plain) : plain);
  const { success, data } = Line.safeParse(parsed(text));
  if (!success || data.msg === machineLine) return text;
  const { level, time, msg = '', ...fields } = data;
  const clock = new Date(time).toTimeString().slice(0, 8);
  const said = Object.entries(fields).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const rest = said.length === 0 ? '' : `  ${paint('dim', said.join(' '))}`;
  return `${paint('dim', clock)} ${paint(colourOf[level] ?? 'white', level.padEnd(5))} ${msg}${rest}`;
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** Returns a stream for the log if standard output is a terminal; undefined otherwise. */
export const logOnTerminal = (): DestinationStream | undefined =>
  process.stdout.isTTY === true ? { write: (text) => print(readable(text.trimEnd(), wantsColours())) } : undefined;
