/** Findings as lines for people. */
import { harmless } from '../../printable.js';
import { wrapped } from '../terminal/columns.js';
import type { Screen } from '../terminal/output.js';
import { styled } from '../terminal/terminal.js';
import { momentOf } from '../typed/times.js';

const widthMin = 20;
const isoTimes = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/** `+` in green, or `!` in red. */
export const markOf = (ok: boolean, { isTerminal }: Screen): string => {
  const mark = ok ? '+' : '!';
  return isTerminal ? styled(ok ? 'green' : 'red', mark) : mark;
};

/** A sentence behind its mark. A remedy stays in one line: it may be a command, which people copy. */
export function findingLines(mark: string, says: string, remedy: string | undefined, screen: Screen): string[] {
  const { isTerminal, now, width = Number.POSITIVE_INFINITY } = screen;
  const text = harmless(isTerminal ? says.replaceAll(isoTimes, (time) => momentOf(time, now)) : says);
  const lines = isTerminal ? wrapped(text, Math.max(width - 2, widthMin), Number.POSITIVE_INFINITY) : [text];
  return [
    ...lines.map((line, index) => `${index === 0 ? mark : ' '} ${line}`),
    ...(remedy === undefined ? [] : [`    ${harmless(remedy)}`]),
  ];
}
