/** Lines of a file that are wrong, as one error. */
import type { BadLine } from '../../files/list-rows.js';
import { UsageError } from '../../terminal/usage-error.js';

/** Lines that are named where many are wrong. */
const maxNamed = 20;

/** Names the lines for people; `details` has all of them, for --json. */
export class WrongLines extends UsageError {
  readonly details: readonly { readonly path: string; readonly message: string }[];

  /** `outcome`: what has become of the file as a whole. */
  constructor(path: string, wrong: readonly BadLine[], outcome: string) {
    const named = wrong
      .slice(0, maxNamed)
      .map(({ line, field, message }) => `${path}:${line}: ${field === '' ? '' : `${field}: `}${message}`);
    const others = wrong.length > maxNamed ? [`and ${wrong.length - maxNamed} more.`] : [];
    super([...named, ...others, outcome].join('\n'));
    this.details = lineDetails(wrong);
  }
}

export const lineDetails = (wrong: readonly BadLine[]) =>
  wrong.map(({ line, field, message }) => ({
    path: field === '' ? `line ${line}` : `line ${line}: ${field}`,
    message,
  }));
