/** Confirmation of what cannot be taken back: the name of what will be gone is typed; a script says `--yes`. */
import * as Flags from '@oclif/core/flags';
import { ask, canAsk, explain } from '../../terminal/questions.js';
import { UsageError } from '../../terminal/usage-error.js';
import { harmless } from '../../text/printable.js';

export const yesFlag = { yes: Flags.boolean({ description: 'Do not ask for confirmation' }) };

/**
 * `gone`: a sentence, what will be gone; `back`: whether there is a way back. Throws UsageError where it is not
 * confirmed.
 */
export async function confirm(
  name: string,
  gone: string,
  { yes }: { readonly yes: boolean },
  back = 'This cannot be undone',
): Promise<void> {
  if (yes) return;
  if (!canAsk()) throw new UsageError(`${gone} ${back}; add --yes to skip this question.`);
  explain(`${gone} ${back}.`);
  const typed = await ask(`Type ${harmless(name)} to continue`, '--yes');
  if (typed.trim() !== name) throw new UsageError('The text does not match; nothing was changed.');
}
