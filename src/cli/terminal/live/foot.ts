/** The last two lines of a live view: what was done last over its keys, or a question over what helps to answer it. */

import { widthOf } from '../../../terminal/columns.js';
import { styled } from '../../../terminal/terminal.js';
import { harmless } from '../../../text/printable.js';

export interface OpenQuestion {
  /** The question with what was typed so far; null: nothing is asked. */
  readonly line: string | null;
  readonly help: string;
  readonly hasProblem: boolean;
}

export function footLines(
  { line, help, hasProblem }: OpenQuestion,
  { foot, keys }: { readonly foot: string; readonly keys: string },
  columns: number,
): [string, string] {
  if (line === null) return [foot === '' ? '' : styled('yellow', harmless(foot)), styled('dim', keys)];
  return [styled('yellow', endOf(harmless(line), columns)), styled(hasProblem ? 'red' : 'dim', harmless(help))];
}

/** The end of a long line: that is where somebody types. */
function endOf(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  const rest = [...text];
  while (widthOf(rest.join('')) >= columns) rest.shift();
  return `…${rest.join('')}`;
}
