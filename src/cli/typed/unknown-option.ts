/** Answers a word that an argument or a flag does not take with the nearest one. */
import { didYouMean, nearest } from '../../contract/nearest.js';
import { UsageError } from '../../terminal/usage-error.js';
import { harmless } from '../../text/printable.js';

/** Message of oclif: `Expected --type=bann to be one of: mute, ban`; for an argument, without a name. */
const refusal = /^Expected (?:--([\w-]+)=)?(.*) to be one of: ([^\n]+)/s;
/** More words are listed by the help of the command. */
const maxListed = 20;

/** The error with the nearest word, or with all of them; every other error as it is. */
export function unknownOption(error: unknown): unknown {
  const [, flag, typed = '', list = ''] = refusal.exec(error instanceof Error ? error.message : '') ?? [];
  if (list === '') return error;
  const words = list.split(', ');
  const listed = words.length > maxListed ? '`--help` lists the accepted words.' : `It is one of ${words.join(', ')}.`;
  const where = flag === undefined ? '' : `--${flag}: `;
  return new UsageError(
    `${where}"${harmless(typed)}" is not accepted here. ${didYouMean(nearest(typed, words), listed)}`,
  );
}
