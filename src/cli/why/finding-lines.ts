/** Findings as lines for people. */

import { widthOf, wrapped } from '../../terminal/columns.js';
import type { Screen } from '../../terminal/output.js';
import { withMoments } from '../../terminal/shown-times.js';
import { styled } from '../../terminal/terminal.js';
import { harmless } from '../../text/printable.js';

const widthMin = 20;

/** `+` in green, or `!` in red. */
export const markOf = (ok: boolean, { isTerminal }: Screen): string => {
  const mark = ok ? '+' : '!';
  return isTerminal ? styled(ok ? 'green' : 'red', mark) : mark;
};

const indent = '    ';

/** A command stays in one line, because people copy it; what leads to it goes before where both are too long. */
function remedyLines(remedy: string, width: number): string[] {
  const [, sentence, command] = /^(.*:) (earshot .*)$/.exec(remedy) ?? [];
  return widthOf(remedy) <= width || sentence === undefined || command === undefined ? [remedy] : [sentence, command];
}

/** A sentence behind its mark, and below it the remedy. */
export function findingLines(mark: string, says: string, remedy: string | undefined, screen: Screen): string[] {
  const { isTerminal, now, width = Number.POSITIVE_INFINITY } = screen;
  const text = harmless(isTerminal ? withMoments(says, now) : says);
  const lines = isTerminal ? wrapped(text, Math.max(width - 2, widthMin)) : [text];
  return [
    ...lines.map((line, index) => `${index === 0 ? mark : ' '} ${line}`),
    ...(remedy === undefined
      ? []
      : remedyLines(harmless(remedy), isTerminal ? width - indent.length : Number.POSITIVE_INFINITY)
    ).map((line) => `${indent}${line}`),
  ];
}
